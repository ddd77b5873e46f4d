# SPDX-License-Identifier: MIT
"""A thin bar that shows a share."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.theme.theme import Appearance


class Meter(QWidget):
    """A bar 4 px high, filled from the left by a share of 0 to 1."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._share, self._tone = 0.0, "accent"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def show_share(self, share: float, tone: str = "accent") -> None:
        """Fill so much, in a color of the theme; what is above 1 counts as 1."""
        self._share, self._tone = min(max(share, 0.0), 1.0), tone
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(64, 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the empty bar and the filled part."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        box = QRectF(self.rect())
        painter.setBrush(self._appearance.color("cell-idle"))
        painter.drawRoundedRect(box, 2, 2)
        if self._share > 0:
            box.setWidth(max(3.0, box.width() * self._share))
            painter.setBrush(self._appearance.color(self._tone))
            painter.drawRoundedRect(box, 2, 2)
