# SPDX-License-Identifier: MIT
"""Accesses outside the array: cells drawn beside it, past its end or before its start."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.out_of_bounds import Side, Stray, strays
from threadloom.text import _, count, ngettext
from threadloom.ui.mapping.painting.annotations import text, text_width
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role

HEIGHT = 38
"""Device-independent pixels for heading and cells."""
_HEADING = 16
_CELL = 18
_SPACE = 3


class OutOfBounds:
    """A heading and a row of outlined cells with their indices."""

    def __init__(self, drawing: Drawing, side: Side) -> None:
        self.side = side
        self._known = [one for one in strays(drawing.model) if one.side is side]
        beyond = [one for one in drawing.model.beyond if (one.index < 0) == (side is Side.BEFORE)]
        self._accesses = sum(one.count for one in beyond)
        blocks = [drawing.model.launch.grid.linear(one.thread.block) for one in self._known]
        _start, end = drawing.model.block_times(np.array(blocks, dtype=np.int64))
        self._since = end
        self._height = drawing.appearance.scaled(HEIGHT)
        self._place = QRect()
        self._first = 0
        self._cells: list[tuple[Stray, QRectF]] = []

    @property
    def height(self) -> int:
        """What it takes beside the array."""
        return self._height if self._known else 0

    def put(self, drawing: Drawing, left: int, top: int, width: int) -> None:
        """Lay the cells out; what has no room is left out."""
        scaled = drawing.appearance.scaled
        self._place = QRect(left, top, width, self._height)
        words = [str(one.index) for one in self._known]
        cell = max((text_width(drawing.appearance, one) for one in words), default=0.0) + 8
        fitting = max(1, int((width + _SPACE) // (cell + _SPACE)))
        if len(self._known) > fitting and fitting > 1:
            fitting -= 1
        y = float(top + scaled(_HEADING))
        self._first = self._first_shown(drawing, fitting)
        self._cells = [
            (one, QRectF(round(left + number * (cell + _SPACE)), y, round(cell), scaled(_CELL)))
            for number, one in enumerate(self._known[self._first : self._first + fitting])
        ]

    def _first_shown(self, drawing: Drawing, fitting: int) -> int:
        """Begin so that the cell of the selected thread is among those that have room."""
        own = (n for n, one in enumerate(self._known) if one.thread == drawing.thread)
        selected_thread = next(own, 0)
        return min(max(0, selected_thread - fitting // 2), max(0, len(self._known) - fitting))

    def at(self, point: QPointF) -> Stray | None:
        """The index under a point."""
        return next((one for one, cell in self._cells if cell.contains(point)), None)

    def rect_of(self, thread: ThreadId) -> QRectF | None:
        """The cell that a thread used."""
        return next((cell for one, cell in self._cells if one.thread == thread), None)

    def shows(self, time_s: float) -> bool:
        """Whether any of the accesses has taken place."""
        return bool(self._known) and bool((self._since <= np.float32(time_s)).any())

    def paint(self, painter: QPainter, drawing: Drawing) -> None:
        """Draw the cells whose blocks have ended."""
        if not self.shows(drawing.time_s):
            return
        appearance, top = drawing.appearance, float(self._place.top())
        at = QPointF(self._place.left(), top + appearance.scaled(_HEADING) / 2 - 1)
        text(painter, appearance, at, self._heading(), "error")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        shown = 0
        for number, (one, cell) in enumerate(self._cells):
            if self._since[self._first + number] > np.float32(drawing.time_s):
                continue
            shown += 1
            painter.setPen(QPen(appearance.color("error"), 1))
            painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5))
            words = str(one.index)
            x = cell.center().x() - text_width(appearance, words) / 2
            text(painter, appearance, QPointF(x, cell.center().y()), words, "text-2", Role.CAPTION)
        if 0 < shown < len(self._known):
            last = self._cells[-1][1]
            more = QPointF(last.right() + 6, last.center().y())
            rest = count(len(self._known) - shown)
            text(painter, appearance, more, _("+{n}").format(n=rest), "error")

    def _heading(self) -> str:
        if self.side is Side.BEFORE:
            words = ngettext(
                "before the start: {n} access", "before the start: {n} accesses", self._accesses
            )
        else:
            words = ngettext(
                "past the end: {n} access", "past the end: {n} accesses", self._accesses
            )
        return words.format(n=count(self._accesses))
