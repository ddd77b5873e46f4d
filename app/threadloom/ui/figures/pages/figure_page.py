# SPDX-License-Identifier: MIT
"""A figure on a page of its own: title above, legend, caption below, so that it can stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from threadloom.model.provenance import Provenance
from threadloom.presentation.figures.series_style import SeriesStyle
from threadloom.ui.figures.figure import Figure, Values
from threadloom.ui.figures.marker import draw_marker
from threadloom.ui.figures.pages.themed_painter import DASHES, Side, ThemedPainter, face, text_width
from threadloom.ui.theme.theme import Role, Theme

_MARGIN, _LINE, _CAPTION_LINE = 10.0, 14.0, 12.5
BODY = 12.0
"""Height of body text in the units that figures are laid out in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One series in the legend."""

    style: SeriesStyle
    name: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class FigurePage:
    """One page."""

    figure: Figure
    heading: str = ""
    """Title of the page; none if empty."""
    caption: tuple[str, ...] = ()
    """Sentences below the figure: device, versions, how it was measured."""
    legend: tuple[Entry, ...] = ()
    transparent: bool = False

    @property
    def values(self) -> Values:
        """The numbers that are shown, with title and caption."""
        return {**self.figure.values, "title": self.heading, "caption": list(self.caption)}

    def paint(
        self, painter: QPainter, size: tuple[float, float], text: float, theme: Theme
    ) -> None:
        """Fill a page.

        Args:
            painter: On a page whose corner is at 0, 0.
            size: Width and height of the page in the painter's units.
            text: Height of body text in the painter's units; all else scales with it.
            theme: Colors.
        """
        scale = text / BODY
        page = QRectF(0, 0, size[0] / scale, size[1] / scale)
        painter.save()
        painter.scale(scale, scale)
        themed = ThemedPainter(painter, theme)
        if not self.transparent:
            themed.fill(page, "bg-canvas")
        inner = page.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        inner.setTop(self._paint_heading(themed, inner))
        inner.setTop(self._paint_legend(themed, inner))
        inner.setBottom(self._paint_caption(themed, inner))
        self.figure.paint(painter, inner, theme)
        painter.restore()

    def _paint_heading(self, painter: ThemedPainter, inner: QRectF) -> float:
        if not self.heading:
            return inner.top()
        lines = wrapped(self.heading, inner.width(), Role.TITLE)
        for number, line in enumerate(lines):
            y = inner.top() + 7 + number * 17
            painter.text(inner.center().x(), y, line, Role.TITLE, "text", Side.CENTER)
        return inner.top() + 17 * len(lines) + 4

    def _paint_legend(self, painter: ThemedPainter, inner: QRectF) -> float:
        if not self.legend:
            return inner.top()
        rows = _rows(self.legend, inner.width())
        for number, row in enumerate(rows):
            y = inner.top() + 7 + number * _LINE
            x = inner.center().x() - (sum(map(_entry_width, row)) - 10) / 2
            for entry in row:
                _paint_entry(painter, x, y, entry)
                x += _entry_width(entry)
        return inner.top() + _LINE * len(rows) + 4

    def _paint_caption(self, painter: ThemedPainter, inner: QRectF) -> float:
        lines = wrapped(" ".join(self.caption), inner.width(), Role.LANE)
        room = max(1, int(inner.height() * 0.34 // _CAPTION_LINE))
        if len(lines) > room:
            lines = [*lines[: room - 1], lines[room - 1] + " …"]
        for number, line in enumerate(lines):
            y = inner.bottom() - _CAPTION_LINE * (len(lines) - number) + 8
            painter.text(inner.center().x(), y, line, Role.LANE, "text-2", Side.CENTER)
        return inner.bottom() - _CAPTION_LINE * len(lines) - (4 if lines else 0)


def wrapped(text: str, width: float, role: Role = Role.CAPTION) -> list[str]:
    """Break a text into lines of at most this width, at its plain spaces."""
    metrics = QFontMetricsF(face(role))
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _rows(entries: Sequence[Entry], width: float) -> list[list[Entry]]:
    rows: list[list[Entry]] = []
    for entry in entries:
        if rows and sum(map(_entry_width, [*rows[-1], entry])) - 10 <= width:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def _entry_width(entry: Entry) -> float:
    return 20 + text_width(entry.name, Role.LANE) + 10


def _paint_entry(painter: ThemedPainter, x: float, y: float, entry: Entry) -> None:
    color = painter.color(entry.style.tone)
    dash = DASHES[entry.provenance]
    painter.line([QPointF(x, y), QPointF(x + 16, y)], entry.style.tone, 1.5, dash)
    hollow = entry.provenance is not Provenance.MEASURED
    ground = painter.color("bg-canvas") if hollow else None
    draw_marker(painter.painter, QPointF(x + 8, y), entry.style.marker, color, 3, ground)
    painter.text(x + 20, y, entry.name, Role.LANE, "text")
