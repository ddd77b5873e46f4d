# SPDX-License-Identifier: MIT
"""The rectangle that a drag draws in one pane, and what stays of it when it ends."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from threadloom.ui.theme.theme import Appearance

THRESHOLD = 5.0
"""Device-independent pixels from which on a press with movement is a drag."""
SMALLEST = 8.0


class RubberBand:
    """From the press to the release; afterwards the frame of what is selected."""

    def __init__(self) -> None:
        self._from: QPointF | None = None
        self._pane = QRectF()
        self.frame: QRectF | None = None

    @property
    def drawing(self) -> bool:
        """Whether the button is down and has moved far enough."""
        return self._from is not None and self.frame is not None

    @property
    def pressed(self) -> bool:
        """Whether the button is down."""
        return self._from is not None

    def press(self, at: QPointF, pane: QRectF) -> None:
        """Begin in a pane; an empty one is no place for a rectangle."""
        self._from, self._pane = at, pane
        self.frame = None

    def move(self, to: QPointF) -> bool:
        """Draw the rectangle to a point; say whether there is one."""
        if self._from is None or self._pane.isEmpty():
            return False
        away = to - self._from
        if self.frame is None and abs(away.x()) + abs(away.y()) < THRESHOLD:
            return False
        self.frame = QRectF(self._from, to).normalized().intersected(self._pane)
        return True

    def release(self) -> QRectF | None:
        """End; the rectangle if one was drawn, which stays in sight."""
        self._from = None
        return self.frame

    def show(self, frame: QRectF) -> None:
        """Frame something that was selected in another way."""
        grown = [max(0.0, (SMALLEST - side) / 2) for side in (frame.width(), frame.height())]
        self.frame = frame.adjusted(-grown[0], -grown[1], grown[0], grown[1])

    def clear(self) -> None:
        """Let go."""
        self._from, self.frame = None, None

    def paint(self, painter: QPainter, appearance: Appearance) -> None:
        """Draw the rectangle in the color of what is selected."""
        if self.frame is None:
            return
        painter.fillRect(self.frame, appearance.color("accent", 0.18))
        for token, width in (("bg-canvas", 4.0), ("accent-text", 2.0)):
            pen = QPen(appearance.color(token), width)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(self.frame)
