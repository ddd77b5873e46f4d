# SPDX-License-Identifier: MIT
"""Text in a role of type and a tone of the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from threadloom.ui.theme.theme import Appearance, Role


class Label(QLabel):
    """A text whose font and color follow the appearance."""

    def __init__(
        self,
        appearance: Appearance,
        text: str = "",
        role: Role = Role.BODY,
        tone: str = "text",
        *,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._appearance, self._role, self._tone = appearance, role, tone
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    @property
    def tone(self) -> str:
        """Token of the text's color."""
        return self._tone

    def set_tone(self, tone: str) -> None:
        """Color the text with another token."""
        if tone != self._tone:
            self._tone = tone
            self._on_appearance_changed()

    def _on_appearance_changed(self) -> None:
        self.setFont(self._appearance.font(self._role))
        palette = self.palette()
        color = self._appearance.color(self._tone)
        palette.setColor(self.foregroundRole(), color)
        self.setPalette(palette)


class ElidedLabel(Label):
    """One line that ends in an ellipsis where it has no room, and then tells itself in a tip."""

    def __init__(
        self,
        appearance: Appearance,
        text: str = "",
        role: Role = Role.BODY,
        tone: str = "text",
        *,
        where: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, text, role, tone, parent=parent)
        self._where = where
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Room for an ellipsis, so that a long text never widens a panel."""
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw as much of the text as there is room for."""
        shown = self.fontMetrics().elidedText(self.text(), self._where, self.width())
        self.setToolTip(self.text() if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self._appearance.color(self.tone))
        painter.drawText(self.rect(), int(self.alignment()), shown)
