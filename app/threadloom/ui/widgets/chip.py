# SPDX-License-Identifier: MIT
"""A short mark on a tinted pill: where a figure comes from, how many findings there are."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.model.provenance import Provenance
from threadloom.presentation.provenance_text import provenance_words
from threadloom.ui.theme.icons import pixmap
from threadloom.ui.theme.theme import Appearance, Role

KINDS = {
    "neutral": ("bg-hover", "text-2"),
    "info": ("info-soft", "info"),
    "ok": ("ok-soft", "ok"),
    "warn": ("warn-soft", "warn"),
    "error": ("error-soft", "error"),
    "pinned": ("focus-soft", "focus"),
    "accent": ("accent-soft", "accent-text"),
}
"""Fill and text token of each kind of chip."""


class Chip(QWidget):
    """A pill of one kind with a text and perhaps an icon."""

    def __init__(
        self,
        appearance: Appearance,
        text: str = "",
        kind: str = "neutral",
        icon: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._text, self._kind, self._icon = text, kind, icon
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)
        appearance.changed.connect(self._on_appearance_changed)

    def text(self) -> str:
        """What the chip says."""
        return self._text

    def show_text(self, text: str, kind: str = "neutral", icon: str = "") -> None:
        """Say something else; an empty text hides the chip."""
        self._text, self._kind, self._icon = text, kind, icon
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self._on_appearance_changed()

    def sizeHint(self) -> QSize:
        """Room of the text, with half a height on either side."""
        metrics = QFontMetrics(self._appearance.font(Role.BUTTON))
        icon = 18 if self._icon else 0
        return QSize(metrics.horizontalAdvance(self._text) + 18 + icon, metrics.height() + 5)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the pill, the icon and the text."""
        fill, ink = KINDS[self._kind]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color(fill))
        box = QRectF(self.rect())
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        if self._icon:
            drawn = pixmap(self._appearance, self._icon, ink, 13, self.devicePixelRatioF())
            painter.drawPixmap(9, (self.height() - 13) // 2, drawn)
            box.setLeft(box.left() + 18)
        painter.setPen(self._appearance.color(ink))
        painter.setFont(self._appearance.font(Role.BUTTON))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._text)

    def _on_appearance_changed(self) -> None:
        self.updateGeometry()
        self.update()


class ProvenanceChip(Chip):
    """Says whether a figure is measured, modeled or emulated."""

    def show_provenance(self, provenance: Provenance | None) -> None:
        """Say where the figure comes from; None hides the chip."""
        if provenance is None:
            self.show_text("")
        else:
            kind = "info" if provenance is Provenance.MODELED else "neutral"
            self.show_text(provenance_words(provenance), kind)
