# SPDX-License-Identifier: MIT
"""An icon that is not a button."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.theme.icons import pixmap
from threadloom.ui.theme.theme import Appearance


class IconLabel(QWidget):
    """An icon of 16 px in a tone of the theme."""

    def __init__(
        self,
        appearance: Appearance,
        name: str,
        tone: str = "text-2",
        size: int = 16,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._name, self._tone, self._size = appearance, name, tone, size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def show_icon(self, name: str, tone: str | None = None) -> None:
        """Show another icon, perhaps in another tone."""
        self._name, self._tone = name, tone or self._tone
        self.update()

    def sizeHint(self) -> QSize:
        """The icon's size."""
        return QSize(self._size, self._size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the icon."""
        if self._name:
            ratio = self.devicePixelRatioF()
            drawn = pixmap(self._appearance, self._name, self._tone, self._size, ratio)
            QPainter(self).drawPixmap(0, 0, drawn)
