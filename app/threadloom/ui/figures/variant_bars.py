# SPDX-License-Identifier: MIT
"""Variants of an operation as bars over a common scale that starts at zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from threadloom.model.timing.samples import SeriesKey
from threadloom.presentation.figures.launch_marks import Marks
from threadloom.presentation.figures.launch_text import Titles, block_text
from threadloom.presentation.figures.percentile_range import percentile_range
from threadloom.presentation.figures.series_style import STYLES
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.text import _, duration
from threadloom.ui.figures.launch_cell import Cell
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter, text_width
from threadloom.ui.theme.theme import Role

_TALL = 38.0
_VALUE_ROOM = 66.0
_TONE = STYLES[SeriesKey.KERNEL].tone


@dataclass(frozen=True, slots=True)
class VariantBars:
    """A row for each variant in a rectangle."""

    cells: tuple[Cell, ...]
    pitch: float
    longest_s: float

    @classmethod
    def fit(
        cls, rect: QRectF, points: Sequence[LaunchPoint], wanted: Sequence[LaunchPoint] = ()
    ) -> VariantBars:
        """Lay out; ``wanted`` are variants that still have no time but keep their row."""
        shown = {p.choice: p for p in (*wanted, *points)}
        pitch = min(52.0, rect.height() / max(1, len(shown)))
        longest = max((percentile_range(p.samples)[1] for p in points if p.samples), default=1.0)
        cells = tuple(
            Cell(
                QRectF(rect.left(), rect.top() + row * pitch, rect.width(), pitch),
                point,
                rank(point, points),
            )
            for row, point in enumerate(shown.values())
        )
        return cls(cells, pitch, longest)


def paint_bars(painter: ThemedPainter, layout: VariantBars, marks: Marks, titles: Titles) -> None:
    """Draw the rows; flat ones, with the title beside the bar, where they have little height."""
    names = [titles.get(c.point.choice.variant, c.point.choice.variant) for c in layout.cells]
    widest = max((text_width(name, Role.BODY) for name in names), default=0.0)
    for cell, name in zip(layout.cells, names, strict=True):
        if marks.is_chosen(cell.point):
            painter.box(cell.rect.adjusted(-6, 1, 6, -1), "accent-soft", None, 4)
        if layout.pitch >= _TALL:
            _paint_tall(painter, layout, cell, name)
        else:
            _paint_flat(painter, layout, cell, name, min(widest, cell.rect.width() * 0.36) + 12)
        if marks.cursor == cell.point.choice:
            painter.box(cell.rect.adjusted(-6, 1, 6, -1), None, "accent-text", 4, 2)


def _paint_tall(painter: ThemedPainter, layout: VariantBars, cell: Cell, name: str) -> None:
    rect, y = cell.rect, cell.rect.top() + 11
    end = rect.left() + painter.text(rect.left(), y, name, Role.BODY, "text")
    end += 8 + painter.text(end + 8, y, _block_words(cell), tone="text-3")
    _paint_rank(painter, end + 8, y, cell)
    _paint_value(painter, rect.right(), y, cell)
    bar = QRectF(rect.left(), rect.top() + 21, rect.width(), min(16.0, rect.height() - 26))
    _paint_bar(painter, layout, cell, bar)


def _paint_flat(
    painter: ThemedPainter, layout: VariantBars, cell: Cell, name: str, title_room: float
) -> None:
    rect, y = cell.rect, cell.rect.center().y()
    painter.elided(rect.left(), y, name, title_room - 8, Role.BODY, "text")
    _paint_value(painter, rect.right(), y, cell)
    left, right = rect.left() + title_room, rect.right() - _VALUE_ROOM
    height = max(4.0, min(12.0, rect.height() - 8))
    if right - left >= 24:
        _paint_bar(painter, layout, cell, QRectF(left, y - height / 2, right - left, height))


def _paint_bar(painter: ThemedPainter, layout: VariantBars, cell: Cell, track: QRectF) -> None:
    painter.fill(track, "cell-idle")
    samples = cell.point.samples
    if samples is None:
        return
    scale = track.width() / layout.longest_s
    bar = QRectF(track.left(), track.top(), max(1.0, samples.median_s * scale), track.height())
    painter.patterned(bar, _TONE, cell.point.provenance)
    low, high = percentile_range(samples)
    if high > low:
        y = track.center().y()
        left, right = track.left() + low * scale, track.left() + high * scale
        painter.across(left, max(right, left + 1), y, "text")
        for x in (left, right):
            painter.upright(x, y - 3, y + 4, "text")


def _paint_value(painter: ThemedPainter, right: float, y: float, cell: Cell) -> None:
    samples = cell.point.samples
    if samples is None:
        text = _("skipped") if cell.point.skipped else "–"
        painter.text(right, y, text, Role.VALUE, "text-3", Side.RIGHT)
        return
    text = duration(samples.median_s)
    painter.text(right, y, text, Role.VALUE, "text", Side.RIGHT, bold=cell.is_first)
    if cell.is_first:
        x = right - text_width(text, Role.VALUE, bold=True) - 10
        painter.painter.setPen(painter.color("text"))
        painter.painter.setBrush(painter.color("text"))
        painter.painter.drawEllipse(QRectF(x - 2.5, y - 2.5, 5, 5))


def _paint_rank(painter: ThemedPainter, x: float, y: float, cell: Cell) -> None:
    words = {
        Rank.FASTEST: (_("fastest"), "ok"),
        Rank.TIE: (_("tie"), "text-2"),
        Rank.LEAST: (_("shortest"), "text-2"),
    }
    if cell.rank in words:
        text, tone = words[cell.rank]
        painter.text(x, y, text, tone=tone)


def _block_words(cell: Cell) -> str:
    block = block_text(cell.point)
    return _("block {block}").format(block=block) if block else ""
