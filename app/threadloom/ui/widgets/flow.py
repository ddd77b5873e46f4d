# SPDX-License-Identifier: MIT
"""A layout that sets widgets side by side and goes on in the next line where room ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, then down."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more."""
        self._items.append(item)

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One of them; None beyond the end, as Qt asks for it."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Let go of one."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """None: it takes what it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrow ones are higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Move everything into place."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items]
        width = sum(size.width() + self._gap for size in sizes)
        return QSize(max(0, width - self._gap), max((s.height() for s in sizes), default=0))

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the widest one."""
        sizes = [item.minimumSize() for item in self._items]
        return QSize(
            max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0)
        )

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if x + size.width() > rect.right() + 1 and line > 0:
                x, y, line = rect.x(), y + line + self._gap, 0
            if move:
                width = min(size.width(), rect.width())
                item.setGeometry(QRect(QPoint(x, y), QSize(width, size.height())))
            x += size.width() + self._gap
            line = max(line, size.height())
        return y + line - rect.y()
