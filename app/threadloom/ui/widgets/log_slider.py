# SPDX-License-Identifier: MIT
"""A slider over a range of magnitudes."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from threadloom.ui.theme.theme import Appearance

_STEPS = 1000
_KNOB = 6.0


class LogSlider(QSlider):
    """Picks a whole number between two limits, evenly spread over its logarithm."""

    moved = Signal(object)
    """int that a user has moved to."""

    def __init__(
        self,
        appearance: Appearance,
        name: str,
        low: int = 1,
        high: int = 100_000_000,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._appearance, self._low, self._high = appearance, low, high
        self.setRange(0, _STEPS)
        self.setPageStep(100)
        self.setSingleStep(10)
        self.setAccessibleName(name)
        self.setFixedHeight(16)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(self._on_value_changed)
        appearance.changed.connect(self.update)

    def set_number(self, number: int) -> None:
        """Show a number without telling of it; outside the limits the nearer end is shown."""
        inside = min(max(number, self._low), self._high)
        share = math.log(inside / self._low) / math.log(self._high / self._low)
        self.blockSignals(True)
        self.setValue(round(share * _STEPS))
        self.blockSignals(False)
        self.update()

    def number(self) -> int:
        """The number at the knob, with two significant digits so that it reads well."""
        exact: float = self._low * (self._high / self._low) ** (self.value() / _STEPS)
        unit = 10 ** max(0, math.floor(math.log10(exact)) - 1)
        return min(self._high, max(self._low, int(exact / unit + 0.5) * int(unit)))

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(120, 16)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the knob under the pointer at once."""
        self._follow(event)
        self.setSliderDown(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the knob."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._follow(event)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Let go of the knob."""
        self.setSliderDown(False)

    def wheelEvent(self, event: object) -> None:
        """Leave the wheel to the panel."""
        event.ignore()  # type: ignore[attr-defined]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track, its filled part and the knob."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._appearance.color
        accent = color("accent" if self.isEnabled() else "text-off")
        middle, x = self.height() / 2, self._x()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("border-strong"))
        painter.drawRoundedRect(QRectF(0, middle - 1, self.width(), 2), 1, 1)
        painter.setBrush(accent)
        painter.drawRoundedRect(QRectF(0, middle - 1, x, 2), 1, 1)
        painter.setPen(accent)
        pen = painter.pen()
        pen.setWidthF(1.75)
        painter.setPen(pen)
        painter.setBrush(color("bg-panel"))
        painter.drawEllipse(QRectF(x - 5, middle - 5, 10, 10))

    def _x(self) -> float:
        return _KNOB + (self.width() - 2 * _KNOB) * self.value() / _STEPS

    def _follow(self, event: QMouseEvent) -> None:
        share = (event.position().x() - _KNOB) / max(1.0, self.width() - 2 * _KNOB)
        self.setValue(round(min(max(share, 0.0), 1.0) * _STEPS))

    def _on_value_changed(self, _value: int) -> None:
        self.update()
        self.moved.emit(self.number())
