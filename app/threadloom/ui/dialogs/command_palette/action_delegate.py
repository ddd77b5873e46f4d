# SPDX-License-Identifier: MIT
"""How a row of the palette looks: icon, name, and its keys at the end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from threadloom.ui.theme.theme import Appearance, Role

Index = QModelIndex | QPersistentModelIndex
_HEIGHT, _ICON = 28, 16


class ActionDelegate(QStyledItemDelegate):
    """Paints an action."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Rows of 28 px."""
        return QSize(200, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw ground, icon, name and keys."""
        painter.save()
        box: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        color = self._appearance.color
        painter.fillRect(box, color("accent-soft" if chosen else "bg-raised"))
        action: QAction = index.data(Qt.ItemDataRole.UserRole)
        place = QRect(box.left() + 8, box.center().y() - _ICON // 2 + 1, _ICON, _ICON)
        action.icon().paint(painter, place)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self._appearance.font(Role.BODY))
        painter.setPen(color("text"))
        painter.drawText(box.adjusted(34, 0, -8, 0), middle, action.text())
        painter.setPen(color("text-3"))
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        painter.drawText(box.adjusted(8, 0, -12, 0), middle | Qt.AlignmentFlag.AlignRight, keys)
        painter.restore()
