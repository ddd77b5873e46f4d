# SPDX-License-Identifier: MIT
"""A key as it is named on the keyboard, in a small frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.theme.theme import Appearance, Role


class KeyCap(QWidget):
    """Shows a key such as ``F5``."""

    def __init__(self, appearance: Appearance, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self.key = appearance, key
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(key)
        appearance.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Its words with a little room."""
        width = QFontMetricsF(self._appearance.font(Role.CAPTION)).horizontalAdvance(self.key)
        return QSize(round(width) + 10, self._appearance.scaled(16))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw frame and name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._appearance.color("border-control"), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setFont(self._appearance.font(Role.CAPTION))
        painter.setPen(self._appearance.color("text-2"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.key)
