# SPDX-License-Identifier: MIT
"""A combo box whose entries have two tones: a name and, quieter, what goes with it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from threadloom.presentation.picker_entry import Entry
from threadloom.ui.theme.icons import pixmap
from threadloom.ui.theme.theme import Appearance, Role

_EXTRA = Qt.ItemDataRole.UserRole + 1
_ICON = Qt.ItemDataRole.UserRole + 2
_TONE = Qt.ItemDataRole.UserRole + 3
Index = QModelIndex | QPersistentModelIndex


class Picker(QComboBox):
    """A drop-down that shows a quiet prefix, an icon, the entry's text and its quieter part.

    One that ``yields`` gets narrower than what it shows where there is little room.
    """

    picked = Signal(str)
    """Key of the entry that a user has picked."""

    def __init__(
        self,
        appearance: Appearance,
        name: str,
        *,
        prefix: str = "",
        height: int = 30,
        yields: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._prefix, self._yields = appearance, prefix, yields
        self._height = height
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setItemDelegate(_EntryDelegate(appearance, self))
        self.setMaxVisibleItems(24)
        self.activated.connect(lambda row: self.picked.emit(str(self.itemData(row))))
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def set_entries(self, entries: list[Entry]) -> None:
        """Offer these; the current key stays if it is among them."""
        current = self.currentData()
        self.clear()
        for row, entry in enumerate(entries):
            self.addItem(entry.text, entry.key)
            self.setItemData(row, entry.extra, _EXTRA)
            self.setItemData(row, entry.icon, _ICON)
            self.setItemData(row, entry.tone, _TONE)
            self.setItemData(row, entry.tip, Qt.ItemDataRole.ToolTipRole)
            if not entry.enabled:
                self.model().item(row).setEnabled(False)  # type: ignore[attr-defined]
        self.set_key(str(current))
        self.view().setMinimumWidth(self._list_width())
        self.updateGeometry()

    def key(self) -> str:
        """Key of the current entry."""
        return str(self.currentData())

    def set_key(self, key: str) -> None:
        """Show an entry without telling of it."""
        row = self.findData(key)
        if row >= 0 and row != self.currentIndex():
            self.setCurrentIndex(row)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for what is shown."""
        return QSize(self._content_width() + 44, self.height())

    def minimumSizeHint(self) -> QSize:
        """What is shown; of a picker that yields, a few letters: the quieter part goes first."""
        return QSize(84, self.height()) if self._yields else self.sizeHint()

    def wheelEvent(self, event: object) -> None:
        """Leave the wheel alone, so that scrolling picks nothing."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the closed box."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._appearance.color
        lit = self.underMouse() and self.isEnabled()
        painter.setPen(QPen(color("border-strong"), 1))
        painter.setBrush(color("bg-hover" if lit else "bg-raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        self._draw_content(painter)
        down = pixmap(self._appearance, "down", "text-2", 12, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - 23, (self.height() - 12) // 2, down)

    def _draw_content(self, painter: QPainter) -> None:
        x, end = 11, self.width() - 28
        body, strong = self._appearance.font(Role.BODY), self._appearance.font(Role.BUTTON)
        if self._prefix:
            x = self._draw_text(painter, x, end, self._prefix, body, "text-3") + 5
        if glyph := self.currentData(_ICON):
            tone = str(self.currentData(_TONE))
            drawn = pixmap(self._appearance, str(glyph), tone, 16, self.devicePixelRatioF())
            painter.drawPixmap(x, (self.height() - 16) // 2, drawn)
            x += 23
        ink = "text" if self.isEnabled() else "text-off"
        x = self._draw_text(painter, x, end, self.currentText(), strong, ink) + 7
        if extra := self.currentData(_EXTRA):
            self._draw_text(painter, x, end, str(extra), body, "text-3")

    def _draw_text(
        self, painter: QPainter, x: int, end: int, text: str, font: object, token: str
    ) -> int:
        painter.setFont(font)  # type: ignore[arg-type]
        painter.setPen(self._appearance.color(token))
        room = max(0, end - x)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(x, 0, room, self.height()), Qt.AlignmentFlag.AlignVCenter, shown)
        return x + painter.fontMetrics().horizontalAdvance(shown)

    def _content_width(self) -> int:
        body = QFontMetrics(self._appearance.font(Role.BODY))
        strong = QFontMetrics(self._appearance.font(Role.BUTTON))
        width = strong.horizontalAdvance(self.currentText())
        if self._prefix:
            width += body.horizontalAdvance(self._prefix) + 5
        if self.currentData(_ICON):
            width += 23
        if extra := self.currentData(_EXTRA):
            width += body.horizontalAdvance(str(extra)) + 7
        return width

    def _list_width(self) -> int:
        metrics = QFontMetrics(self._appearance.font(Role.BUTTON))
        texts = (
            f"{self.itemText(row)} {self.itemData(row, _EXTRA)}" for row in range(self.count())
        )
        return max((metrics.horizontalAdvance(text) for text in texts), default=0) + 64

    def _on_appearance_changed(self) -> None:
        self.setFont(self._appearance.font(Role.BODY))
        self.setFixedHeight(self._appearance.scaled(self._height))
        self.updateGeometry()
        self.update()


class _EntryDelegate(QStyledItemDelegate):
    """Paints one entry of the opened list."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Rows of 28 px at the usual text size."""
        return QSize(120, self._appearance.scaled(28))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw background, icon, text and its quieter part."""
        painter.save()
        box: QRect = option.rect
        state = option.state
        color = self._appearance.color
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, color("accent-soft" if chosen else "bg-raised"))
        usable = bool(state & QStyle.StateFlag.State_Enabled)
        x = box.left() + 12
        if glyph := index.data(_ICON):
            tone = str(index.data(_TONE)) if usable else "text-off"
            painter.drawPixmap(x, box.center().y() - 7, pixmap(self._appearance, glyph, tone))
            x += 24
        x = self._text(painter, x, box, index.data(), Role.BUTTON, "text" if usable else "text-off")
        self._text(painter, x + 8, box, index.data(_EXTRA) or "", Role.BODY, "text-3")
        painter.restore()

    def _text(
        self, painter: QPainter, x: int, box: QRect, text: str, role: Role, token: str
    ) -> int:
        painter.setFont(self._appearance.font(role))
        painter.setPen(self._appearance.color(token))
        place = QRect(x, box.top(), box.right() - x, box.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        return x + painter.fontMetrics().horizontalAdvance(text)
