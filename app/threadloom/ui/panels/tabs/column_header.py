# SPDX-License-Identifier: MIT
"""What a table of described columns says of each: its title, and on which side its cells stand."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from threadloom.text import _

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Described(Protocol):
    """A column of a table."""

    @property
    def title(self) -> str:
        """Marked for translation, not yet translated."""
        ...

    @property
    def numbers(self) -> bool:
        """Whether its cells are numbers, which stand right."""
        ...


def alignment(column: Described) -> int:
    """Side of the cells, as Qt's models give it."""
    return _RIGHT if column.numbers else _LEFT


def header(column: Described, orientation: Qt.Orientation, role: int) -> object:
    """Title and side for a model's ``headerData``; rows have none."""
    if orientation is not Qt.Orientation.Horizontal:
        return None
    if role == Qt.ItemDataRole.TextAlignmentRole:
        return alignment(column)
    return _(column.title) if role == Qt.ItemDataRole.DisplayRole else None


Index = QModelIndex | QPersistentModelIndex
