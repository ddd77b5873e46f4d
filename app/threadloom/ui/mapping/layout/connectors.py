# SPDX-License-Identifier: MIT
"""Shapes that join the selected block to its threads, and these to their elements."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from threadloom.ui.theme.theme import Appearance

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Connector:
    """A shape that fans out across a gap."""

    gap: Span
    """Left and right."""
    start: Span
    """Heights at its left."""
    end: Span
    """Heights at its right."""

    def towards(self, other: Connector, share: float) -> Connector:
        """The connector on its way to another one."""
        pairs = ((self.gap, other.gap), (self.start, other.start), (self.end, other.end))
        gap, start, end = (
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairs
        )
        return Connector(gap, start, end)


def paint_connector(painter: QPainter, appearance: Appearance, connector: Connector) -> None:
    """Fan out from a height range at the gap's left to one at its right; never over cells."""
    left, right = connector.gap
    corners = [
        QPointF(left, connector.start[0]),
        QPointF(right, connector.end[0]),
        QPointF(right, connector.end[1]),
        QPointF(left, connector.start[1]),
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


def rail_height(block: QRectF, cells: QRectF) -> float | None:
    """Height above the grid's cells at which a block near them is led to the gap; or None."""
    y = cells.top() - 4.5
    return y if block.center().y() - y < 12 else None


def paint_rail(painter: QPainter, appearance: Appearance, block: QRectF, cells: QRectF) -> None:
    """Lead from a block to the gap."""
    y = rail_height(block, cells)
    if y is not None:
        painter.setPen(QPen(appearance.color("focus", 0.55), 1))
        painter.drawLine(QPointF(block.center().x(), y), QPointF(cells.right() + 5, y))
