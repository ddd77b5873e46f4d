# SPDX-License-Identifier: MIT
"""The time line of the transport, in segments of one wave each."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from threadloom.text import _, count
from threadloom.ui.theme.theme import Appearance, Role

STEPS = 10_000
"""Positions from start to end."""
TRACK = 5
KNOB = 6.0
SEGMENTS_AT_MOST = 40
"""More waves than these are one segment."""


class Scrubber(QAbstractSlider):
    """A slider over a launch's time whose track shows the waves."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._ends: tuple[float, ...] = (1.0,)
        self.setRange(0, STEPS)
        self.setSingleStep(STEPS // 100)
        self.setPageStep(STEPS // 10)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Time in the launch"))
        appearance.changed.connect(self.update)

    def show_waves(self, ends: tuple[float, ...]) -> None:
        """Take the ends of waves, as shares of the whole time."""
        self._ends = ends if 0 < len(ends) <= SEGMENTS_AT_MOST else (1.0,)
        self.update()

    def share(self) -> float:
        """Position, 0 to 1."""
        return self.value() / STEPS

    def show_share(self, share: float) -> None:
        """Move the knob without telling of it."""
        self.blockSignals(True)
        self.setValue(round(share * STEPS))
        self.blockSignals(False)

    def sizeHint(self) -> QSize:
        """A track with the waves' names above."""
        return QSize(240, 46)

    def minimumSizeHint(self) -> QSize:
        """A short track."""
        return QSize(60, 46)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the waves' names, the track and the knob."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        start, names_until = 0.0, -100.0
        for number, end in enumerate(self._ends):
            box = self._segment(start, end)
            self._paint_segment(painter, box)
            names_until = self._paint_name(painter, box, number, start, end, names_until)
            start = end
        if self.isEnabled():
            self._paint_knob(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the place that was clicked."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the knob."""
        if self.isSliderDown():
            self._go(event.position().x())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Let go of the knob."""
        self.setSliderDown(False)

    def _go(self, x: float) -> None:
        room = max(1.0, self.width() - 2 * KNOB)
        self.setValue(round(min(max(0.0, (x - KNOB) / room), 1.0) * STEPS))

    def _x(self, share: float) -> float:
        return KNOB + share * (self.width() - 2 * KNOB)

    def _middle(self) -> float:
        return self.height() / 2 + 3.5

    def _segment(self, start: float, end: float) -> QRectF:
        left, right = self._x(start), self._x(end) - (2 if end < 1 else 0)
        return QRectF(left, self._middle() - TRACK / 2, max(1.0, right - left), TRACK)

    def _paint_segment(self, painter: QPainter, box: QRectF) -> None:
        painter.setBrush(self._appearance.color("cell-wait"))
        painter.drawRoundedRect(box, 2, 2)
        done = min(box.right(), self._x(self.share())) - box.left()
        if done > 0 and self.isEnabled():
            painter.setBrush(self._appearance.color("accent"))
            painter.drawRoundedRect(QRectF(box.left(), box.top(), done, TRACK), 2, 2)

    def _paint_name(
        self,
        painter: QPainter,
        box: QRectF,
        number: int,
        start: float,
        end: float,
        taken_until: float,
    ) -> float:
        if len(self._ends) < 2:
            return taken_until
        words = _("wave {n}").format(n=count(number + 1))
        font = self._appearance.font(Role.CAPTION)
        width = QFontMetricsF(font).horizontalAdvance(words)
        current = start <= self.share() < end or (end == 1.0 and self.share() == 1.0)
        if box.left() < taken_until or box.left() + width > self.width():
            return taken_until
        painter.setFont(font)
        painter.setPen(self._appearance.color("text" if current else "text-3"))
        painter.drawText(QPointF(box.left(), self._middle() - 10), words)
        painter.setPen(Qt.PenStyle.NoPen)
        return box.left() + width + 6

    def _paint_knob(self, painter: QPainter) -> None:
        at = QPointF(self._x(self.share()), self._middle())
        painter.setBrush(self._appearance.color("bg-panel"))
        painter.setPen(QPen(self._appearance.color("accent"), 2.5))
        painter.drawEllipse(at, KNOB - 1, KNOB - 1)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._appearance.color("accent-text"), 1.5))
            painter.drawEllipse(at, KNOB + 2, KNOB + 2)
