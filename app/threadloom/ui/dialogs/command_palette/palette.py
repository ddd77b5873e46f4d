# SPDX-License-Identifier: MIT
"""A field that finds actions by parts of their names."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from threadloom.text import _
from threadloom.ui.dialogs.command_palette.action_delegate import ActionDelegate
from threadloom.ui.theme.theme import Appearance, Role

_WIDTH = 460


def matches(words: str, name: str) -> bool:
    """Whether every word that was typed is in the name, in any order."""
    plain = name.casefold()
    return all(word in plain for word in words.casefold().split())


class Palette(QFrame):
    """Lists the actions; Enter does the chosen one, Esc closes."""

    def __init__(self, actions: Sequence[QAction], appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._actions, self._appearance = list(actions), appearance
        self._before: QWidget | None = None
        self.setProperty("look", "popup")
        self.setFixedWidth(_WIDTH)
        self.field = QLineEdit()
        self.field.setProperty("look", "field")
        self.field.setFixedHeight(30)
        self.field.setPlaceholderText(_("Type part of an action's name"))
        self.field.setAccessibleName(_("Find an action"))
        self.list = QListWidget()
        self.list.setAccessibleName(_("Actions"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(ActionDelegate(appearance, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _item: self._do())

    def open_over(self, window: QWidget) -> None:
        """Open in the upper middle of a window."""
        self.field.setFont(self._appearance.font(Role.BODY))
        self.field.clear()
        self._fill("")
        self.move((window.width() - _WIDTH) // 2, 72)
        self.setFixedHeight(420)
        self._before = window.focusWidget()
        self.show()
        self.raise_()
        self.field.setFocus()

    def dismiss(self) -> None:
        """Close, and give the keyboard back to who had it."""
        self.hide()
        if self._before is not None:
            self._before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list and press Enter without leaving the field."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                row = self.list.currentRow() + step
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._do()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.dismiss()
                return True
        elif event.type() is QEvent.Type.FocusOut and not self.underMouse():
            self.hide()
        return super().eventFilter(watched, event)

    def _fill(self, typed: str) -> None:
        self.list.clear()
        for action in self._actions:
            if action.isEnabled() and matches(typed, action.text()):
                item = QListWidgetItem(action.icon(), action.text())
                item.setData(Qt.ItemDataRole.UserRole, action)
                self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _do(self) -> None:
        item = self.list.currentItem()
        self.dismiss()
        if item is not None:
            action: QAction = item.data(Qt.ItemDataRole.UserRole)
            action.trigger()
