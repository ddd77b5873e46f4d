# SPDX-License-Identifier: MIT
"""Draws the cells of a table: own colors also in selected rows, a line below each row."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from threadloom.ui.panels.tabs.column_header import Index
from threadloom.ui.theme.theme import Appearance

PADDING = 8
"""Beside a text, as in the header."""
EDGE = 16
"""Before the first text of a row, and after the last one."""
_ICON = 14


class CellDelegate(QStyledItemDelegate):
    """A cell's ground, icon and text. A selected row keeps the colors of its texts."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        painter.save()
        box: QRect = option.rect
        self._draw_ground(painter, box, option, index)
        before, after = _sides(index)
        inner = box.adjusted(before, 0, -after, 0)
        glyph = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(glyph, QIcon):
            glyph.paint(painter, inner.left(), box.center().y() - _ICON // 2, _ICON, _ICON)
            inner.setLeft(inner.left() + _ICON + 6)
        font = index.data(Qt.ItemDataRole.FontRole)
        painter.setFont(font if isinstance(font, QFont) else option.font)
        painter.setPen(self._ink(index))
        align = index.data(Qt.ItemDataRole.TextAlignmentRole)
        text = str(index.data() if index.data() is not None else "")
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, int(align) if align is not None else 0x81, shown)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for text, icon and padding."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + sum(_sides(index)) + 4, hint.height())

    def _draw_ground(
        self, painter: QPainter, box: QRect, option: QStyleOptionViewItem, index: Index
    ) -> None:
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, self._appearance.color("accent-soft"))
        elif isinstance(ground, QColor | QBrush):
            painter.fillRect(box, ground)
        line = QRect(box.left(), box.bottom(), box.width(), 1)
        painter.fillRect(line, self._appearance.color("border-subtle"))

    def _ink(self, index: Index) -> QColor:
        ink = index.data(Qt.ItemDataRole.ForegroundRole)
        if isinstance(ink, QBrush):
            return ink.color()
        return ink if isinstance(ink, QColor) else self._appearance.color("text")


def _sides(index: Index) -> tuple[int, int]:
    """Padding to the left and to the right of a cell's text."""
    last = index.model().columnCount() - 1
    first = index.column() == 0
    return EDGE if first else PADDING, EDGE if index.column() == last else PADDING
