# SPDX-License-Identifier: MIT
"""Turns the rows of the table into actions of Qt, and these into a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from threadloom.text import _
from threadloom.ui.shell.actions import ROWS, Group, Row
from threadloom.ui.shell.commands.commands import Commands
from threadloom.ui.theme.icons import icon
from threadloom.ui.theme.theme import Appearance


def make_actions(
    window: QWidget, commands: Commands, appearance: Appearance
) -> Mapping[str, QAction]:
    """One action a row, by the row's id; their keys work in the whole window."""
    actions = {row.id: _make(window, row, commands.named(row.slot)) for row in ROWS}
    for action in actions.values():
        window.addAction(action)

    def redraw() -> None:
        for row in ROWS:
            actions[row.id].setIcon(icon(appearance, row.icon) if row.icon else QIcon())

    appearance.changed.connect(redraw)
    redraw()
    return actions


def make_menu(window: QWidget, actions: Mapping[str, QAction]) -> QMenu:
    """A menu with a section for each group."""
    menu = QMenu(window)
    for group in Group:
        rows = [row for row in ROWS if row.group is group]
        if not rows:
            continue
        part = menu.addMenu(_(group.value))
        for row in rows:
            part.addAction(actions[row.id])
    return menu


def _make(window: QWidget, row: Row, slot: Callable[[], None]) -> QAction:
    action = QAction(_(row.text), window)
    action.setObjectName(row.id)
    if row.key:
        action.setShortcut(QKeySequence(row.key, QKeySequence.SequenceFormat.PortableText))
    action.triggered.connect(lambda _checked=False: slot())
    return action
