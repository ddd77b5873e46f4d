# SPDX-License-Identifier: MIT
"""The whole way of a problem through a GPU: a row for each step, over one scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from threadloom.model.provenance import Provenance
from threadloom.services.way import Part, Step, part_title
from threadloom.text import _, duration
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.series_style import STYLES
from threadloom.ui.figures.sheet import wrapped
from threadloom.ui.figures.sketch import Side, Sketch, text_width
from threadloom.ui.theme import Role, Theme
from threadloom.ui.widgets.chip import provenance_words

_ROW, _NOTED_ROW, _HEAD, _LINE = 30.0, 42.0, 24.0, 15.0
_OTHER = "text-3"


@dataclass(frozen=True, slots=True)
class WayFigure:
    """Steps of one run. Bars of a part share a scale, for each part has its own question."""

    steps: tuple[Step, ...]
    sentence: str = ""
    """What it comes to, such as the price of ``.to("cuda")``."""
    faded: bool = False

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        return "way"

    @property
    def title(self) -> str:
        """What is shown."""
        return _("The whole way of one run")

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
        """Draw part after part; below the sentence. Too low a rectangle is filled smaller."""
        painter.save()
        needed = self.height(rect.width())
        if needed > rect.height() > 0:
            scale = rect.height() / needed
            painter.translate(rect.topLeft())
            painter.scale(scale, scale)
            rect = QRectF(0, 0, rect.width() / scale, rect.height() / scale)
        if self.faded:
            painter.setOpacity(0.38)
        self._paint(Sketch(painter, theme), rect)
        painter.restore()

    def _paint(self, sketch: Sketch, rect: QRectF) -> None:
        y = rect.top()
        for part, steps in self._parts():
            sketch.text(rect.left(), y + 11, part_title(part), Role.VALUE, "text-3", bold=True)
            y += _HEAD
            longest = max((s.samples.median_s for s in steps if s.samples), default=0.0) or 1.0
            for step in steps:
                row = QRectF(rect.left(), y, rect.width(), _height(step))
                _paint_step(sketch, row, step, longest)
                y += row.height()
        if self.sentence:
            sketch.across(rect.left(), rect.right(), y + 1)
            for number, line in enumerate(wrapped(self.sentence, rect.width(), Role.BODY)):
                sketch.text(rect.left(), y + 15 + number * _LINE, line, Role.BODY, "text-2")

    def _parts(self) -> Iterator[tuple[Part, list[Step]]]:
        for part in Part:
            found = [step for step in self.steps if step.part is part]
            if found:
                yield part, found


def _height(step: Step) -> float:
    return _NOTED_ROW if step.note and step.samples is not None else _ROW


def _paint_step(sketch: Sketch, row: QRectF, step: Step, longest: float) -> None:
    y = row.top() + 7
    known = step.samples is not None
    text = duration(step.samples.median_s) if step.samples is not None else step.note
    tone = "text" if known else "text-3"
    value = sketch.text(row.right(), y, text, Role.VALUE, tone, Side.RIGHT, bold=known)
    room = row.width() - value - 12
    if step.provenance not in {None, Provenance.MEASURED} and step.provenance is not None:
        words = provenance_words(step.provenance)
        width = text_width(words) + 8
        sketch.text(row.right() - value - 8, y, words, tone="info", side=Side.RIGHT)
        room -= width
    sketch.elided(row.left(), y, step.title, room, Role.BODY, "text-2")
    track = QRectF(row.left(), row.top() + 16, row.width(), 7)
    sketch.fill(track, "cell-idle")
    if step.samples is None or step.provenance is None:
        return
    bar = QRectF(track)
    bar.setWidth(max(1.0, track.width() * step.samples.median_s / longest))
    tone = STYLES[step.series].tone if step.series is not None else _OTHER
    sketch.patterned(bar, tone, step.provenance)
    if step.note:
        sketch.elided(row.left(), row.top() + 31, step.note, row.width())
