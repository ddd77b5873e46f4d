# SPDX-License-Identifier: MIT
"""Shapes that join the followed block to its threads, and these to their elements."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from threadloom.ui.theme import Appearance


def link(
    painter: QPainter,
    appearance: Appearance,
    gap: tuple[float, float],
    start: tuple[float, float],
    end: tuple[float, float],
) -> None:
    """Fan out from a height range at the gap's left to one at its right; never over cells."""
    left, right = gap
    corners = [
        QPointF(left, start[0]),
        QPointF(right, end[0]),
        QPointF(right, end[1]),
        QPointF(left, start[1]),
    ]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance.color("focus", 0.10))
    painter.drawPolygon(QPolygonF(corners))
    painter.setPen(QPen(appearance.color("focus", 0.55), 1))
    painter.drawLine(corners[0], corners[1])
    painter.drawLine(corners[3], corners[2])
    painter.drawLine(corners[1], corners[2])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def rail(painter: QPainter, appearance: Appearance, block: QRectF, cells: QRectF) -> float:
    """Lead from a block to the gap above the grid's cells; return the rail's height."""
    y = cells.top() - 4.5
    painter.setPen(QPen(appearance.color("focus", 0.55), 1))
    if block.center().y() - y < 12:
        painter.drawLine(QPointF(block.center().x(), y), QPointF(cells.right() + 5, y))
    return y
