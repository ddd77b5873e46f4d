# SPDX-License-Identifier: MIT
"""A switch that is on or off."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from threadloom.ui.theme.theme import Appearance

_TRACK = QSize(28, 16)


class Switch(QAbstractButton):
    """An on-off button that looks like a switch; Space toggles it."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Room of the track."""
        return _TRACK

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track and the knob at one of its ends."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(0.5, 0.5, _TRACK.width() - 1, _TRACK.height() - 1)
        color = self._appearance.color
        on, usable = self.isChecked(), self.isEnabled()
        edge = "accent" if on and usable else "border-control" if usable else "text-off"
        painter.setPen(QPen(color(edge), 1))
        painter.setBrush(color("accent" if on and usable else "bg-hover"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("on-accent" if on else "text-3"))
        radius = 5.5 if on else 4.5
        middle = _TRACK.width() - 8 if on else 8
        painter.drawEllipse(QRectF(middle - radius, 8 - radius, 2 * radius, 2 * radius))
