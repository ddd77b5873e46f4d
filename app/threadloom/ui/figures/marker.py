# SPDX-License-Identifier: MIT
"""Color, marker and short name of each series. None is told apart by color alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

_SHAPES = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "triangle": ((0, -1.25), (1.2, 0.95), (-1.2, 0.95)),
}


def draw_marker(
    painter: QPainter,
    at: QPointF,
    marker: str,
    color: QColor,
    size: float = 3.0,
    ground: QColor | None = None,
) -> None:
    """Draw a marker; with ``ground`` a hollow one, filled with that color."""
    painter.setPen(QPen(color, 1.3) if ground is not None else Qt.PenStyle.NoPen)
    painter.setBrush(ground if ground is not None else color)
    if marker == "circle":
        painter.drawEllipse(at, size, size)
        return
    points = [QPointF(at.x() + size * x, at.y() + size * y) for x, y in _SHAPES[marker]]
    painter.drawPolygon(QPolygonF(points))
