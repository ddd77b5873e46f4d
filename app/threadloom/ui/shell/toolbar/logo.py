# SPDX-License-Identifier: MIT
"""The program's sign: a grid in a rounded square."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.theme.theme import Appearance


def draw_logo(painter: QPainter, box: QRectF, appearance: Appearance) -> None:
    """Draw the sign into a square."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    unit = box.width() / 20
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance.color("accent"))
    painter.drawRoundedRect(box, 4 * unit, 4 * unit)
    pen = QPen(appearance.color("on-accent"), 1.5 * unit)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    left, top = box.left(), box.top()
    for at in (7.5 * unit, 12.5 * unit):
        painter.drawLine(QLineF(left + at, top + 4 * unit, left + at, top + 16 * unit))
        painter.drawLine(QLineF(left + 4 * unit, top + at, left + 16 * unit, top + at))


def logo_icon(appearance: Appearance) -> QIcon:
    """The sign as the window's icon."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        drawn = QPixmap(size, size)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        draw_logo(painter, QRectF(0, 0, size, size), appearance)
        painter.end()
        result.addPixmap(drawn)
    return result


class Logo(QWidget):
    """The sign, 20 px wide."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """20 px square."""
        return QSize(20, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the sign."""
        draw_logo(QPainter(self), QRectF(0, 0, 20, 20), self._appearance)
