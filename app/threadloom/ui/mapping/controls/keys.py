# SPDX-License-Identifier: MIT
"""Which key does what on the mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

Action = Callable[[], None]
Actions = Mapping[Qt.Key, Action]


@dataclass(frozen=True, slots=True)
class Keys:
    """Actions by key, one table for each modifier."""

    plain: Actions
    shifted: Actions
    """With Shift."""
    alternative: Actions
    """With Alt."""

    def action(self, event: QKeyEvent) -> Action | None:
        """What a pressed key does; None if that is not for the mapping."""
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return None
        table = self.plain
        if modifiers & Qt.KeyboardModifier.AltModifier:
            table = self.alternative
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            table = self.shifted
        return table.get(Qt.Key(event.key()))
