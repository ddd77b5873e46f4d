# SPDX-License-Identifier: MIT
"""The whole way of a problem through a GPU: a row for each step, over one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from threadloom.model.provenance import Provenance
from threadloom.presentation.bench.breakdown_text import part_title
from threadloom.presentation.figures.series_style import STYLES
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.bench.breakdown import Part, Step
from threadloom.text import _, duration
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.pages.figure_page import wrapped
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter, text_width
from threadloom.ui.theme.theme import Role, Theme

_ROW, _NOTED_ROW, _HEAD, _LINE = 30.0, 42.0, 24.0, 15.0
_VALUE_ROOM = 62.0
_OTHER = "text-3"


@dataclass(frozen=True, slots=True)
class BreakdownFigure:
    """Steps of one run. Bars of a part share a scale, for each part has its own question."""

    steps: tuple[Step, ...]
    sentence: str = ""
    """What it comes to, such as the price of ``.to("cuda")``."""
    faded: bool = False

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        return "breakdown"

    @property
    def title(self) -> str:
        """What is shown."""
        return _("End-to-end breakdown of one run")

    @property
    def values(self) -> Values:
        """Seconds by step."""
        return {
            "sentence": self.sentence,
            "steps": [
                {
                    "part": str(step.part),
                    "step": step.title,
                    "source": None if step.provenance is None else str(step.provenance),
                    "median_s": None if step.samples is None else step.samples.median_s,
                    "samples_s": [] if step.samples is None else list(step.samples.seconds),
                    "note": step.note,
                }
                for step in self.steps
            ],
        }

    def height(self, width: float) -> float:
        """Height that it takes at this width."""
        heads = len({step.part for step in self.steps})
        rows = sum(_height(step) for step in self.steps)
        lines = len(wrapped(self.sentence, width, Role.BODY)) if self.sentence else 0
        return heads * _HEAD + rows + lines * _LINE + (10 if lines else 0)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw part after part, and below them the sentence; in a low rectangle line by line."""
        painter.save()
        if self.faded:
            painter.setOpacity(0.38)
        themed = ThemedPainter(painter, theme)
        if self.height(rect.width()) <= rect.height():
            self._paint(themed, rect)
        else:
            self._paint_lines(themed, rect)
        painter.restore()

    def _paint(self, painter: ThemedPainter, rect: QRectF) -> None:
        y = rect.top()
        for part, steps in self._parts():
            painter.text(rect.left(), y + 11, part_title(part), Role.VALUE, "text-3", bold=True)
            y += _HEAD
            longest = _longest(steps)
            for step in steps:
                row = QRectF(rect.left(), y, rect.width(), _height(step))
                _paint_step(painter, row, step, longest)
                y += row.height()
        if self.sentence:
            painter.across(rect.left(), rect.right(), y + 1)
            self._paint_sentence(painter, QRectF(rect.left(), y + 7, rect.width(), 0))

    def _paint_lines(self, painter: ThemedPainter, rect: QRectF) -> None:
        """A line for each step, as low as the rectangle needs them; notes are left out."""
        words = wrapped(self.sentence, rect.width(), Role.BODY) if self.sentence else []
        below = len(words) * _LINE + (6 if words else 0)
        heads = len({step.part for step in self.steps})
        pitch = min(16.0, (rect.height() - below) / max(1, len(self.steps) + heads))
        y = rect.top()
        for part, steps in self._parts():
            painter.elided(rect.left(), y + pitch / 2, part_title(part), rect.width(), Role.LANE)
            y += pitch
            for step in steps:
                row = QRectF(rect.left(), y, rect.width(), pitch)
                _paint_line(painter, row, step, _longest(steps))
                y += pitch
        self._paint_sentence(painter, QRectF(rect.left(), y + 6, rect.width(), 0))

    def _paint_sentence(self, painter: ThemedPainter, place: QRectF) -> None:
        for number, line in enumerate(wrapped(self.sentence, place.width(), Role.BODY)):
            y = place.top() + 8 + number * _LINE
            painter.text(place.left(), y, line, Role.BODY, "text-2")

    def _parts(self) -> Iterator[tuple[Part, list[Step]]]:
        for part in Part:
            found = [step for step in self.steps if step.part is part]
            if found:
                yield part, found


def _longest(steps: Sequence[Step]) -> float:
    return max((step.samples.median_s for step in steps if step.samples), default=0.0) or 1.0


def _paint_line(painter: ThemedPainter, row: QRectF, step: Step, longest: float) -> None:
    y, title_room = row.center().y(), row.width() * 0.5
    role = Role.CAPTION if row.height() >= 13 else Role.LANE
    painter.elided(row.left() + 6, y, step.title, title_room - 14, role, "text-2")
    known = step.samples is not None
    text = duration(step.samples.median_s) if step.samples is not None else step.note
    tone = "text" if known else "text-3"
    painter.text(row.right(), y, text, role, tone, Side.RIGHT, bold=known)
    track = QRectF(row.left() + title_room, y - 4, row.width() - title_room - _VALUE_ROOM, 8)
    if step.samples is not None and step.provenance is not None and track.width() > 20:
        painter.fill(track, "cell-idle")
        _paint_bar(painter, track, step, step.samples.median_s / longest, step.provenance)


def _paint_bar(
    painter: ThemedPainter, track: QRectF, step: Step, share: float, provenance: Provenance
) -> None:
    bar = QRectF(track)
    bar.setWidth(max(1.0, track.width() * share))
    tone = STYLES[step.series].tone if step.series is not None else _OTHER
    painter.patterned(bar, tone, provenance)


def _height(step: Step) -> float:
    return _NOTED_ROW if step.note and step.samples is not None else _ROW


def _paint_step(painter: ThemedPainter, row: QRectF, step: Step, longest: float) -> None:
    y = row.top() + 7
    known = step.samples is not None
    text = duration(step.samples.median_s) if step.samples is not None else step.note
    tone = "text" if known else "text-3"
    value = painter.text(row.right(), y, text, Role.VALUE, tone, Side.RIGHT, bold=known)
    room = row.width() - value - 12
    if step.provenance not in {None, Provenance.MEASURED} and step.provenance is not None:
        words = provenance_words(step.provenance)
        width = text_width(words) + 8
        painter.text(row.right() - value - 8, y, words, tone="info", side=Side.RIGHT)
        room -= width
    painter.elided(row.left(), y, step.title, room, Role.BODY, "text-2")
    track = QRectF(row.left(), row.top() + 16, row.width(), 7)
    painter.fill(track, "cell-idle")
    if step.samples is None or step.provenance is None:
        return
    _paint_bar(painter, track, step, step.samples.median_s / longest, step.provenance)
    if step.note:
        painter.elided(row.left(), row.top() + 31, step.note, row.width())
