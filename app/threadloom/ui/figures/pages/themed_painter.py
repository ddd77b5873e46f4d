# SPDX-License-Identifier: MIT
"""A painter that knows the theme: texts by role and tone, hairlines, boxes, markers, patterns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from threadloom.model.provenance import Provenance
from threadloom.ui.theme.theme import Role, Theme, font

DASHES = {
    Provenance.MEASURED: Qt.PenStyle.SolidLine,
    Provenance.MODELED: Qt.PenStyle.DashLine,
    Provenance.EMULATED: Qt.PenStyle.DotLine,
}
"""How a line says where its figures come from."""


class Side(Enum):
    """Which point of a text is given."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class ThemedPainter:
    """Draws with the tokens of one theme. Text is placed by the middle of its line."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self.painter = painter
        self.theme = theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)

    def width(self, text: str, role: Role = Role.CAPTION, *, bold: bool = False) -> float:
        """Width that a text takes."""
        return text_width(text, role, bold=bold)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        role: Role = Role.CAPTION,
        tone: str | QColor = "text-3",
        side: Side = Side.LEFT,
        *,
        bold: bool = False,
    ) -> float:
        """Write one line and return its width; ``y`` is the middle of its capitals."""
        used = face(role, bold=bold)
        metrics = QFontMetricsF(used)
        width = metrics.horizontalAdvance(text)
        shift = {Side.LEFT: 0.0, Side.CENTER: width / 2, Side.RIGHT: width}[side]
        self.painter.setFont(used)
        self.painter.setPen(self.color(tone))
        self.painter.drawText(QPointF(x - shift, y + metrics.capHeight() / 2), text)
        return width

    def elided(
        self,
        x: float,
        y: float,
        text: str,
        room: float,
        role: Role = Role.CAPTION,
        tone: str = "text-3",
    ) -> float:
        """Write as much of a text as there is room for."""
        shown = QFontMetricsF(face(role)).elidedText(text, Qt.TextElideMode.ElideRight, room)
        return self.text(x, y, shown, role, tone)

    def color(self, tone: str | QColor) -> QColor:
        """A color by its token, or the color itself."""
        return tone if isinstance(tone, QColor) else self.theme.color(tone)

    def fill(self, rect: QRectF, tone: str | QColor | QBrush) -> None:
        """Fill a rectangle."""
        brush = tone if isinstance(tone, QBrush) else QBrush(self.color(tone))
        self.painter.fillRect(rect, brush)

    def across(self, x1: float, x2: float, y: float, tone: str | QColor = "border-subtle") -> None:
        """A level hairline on whole pixels."""
        self.fill(QRectF(x1, math.floor(y), x2 - x1, 1), tone)

    def upright(self, x: float, y1: float, y2: float, tone: str | QColor = "border-subtle") -> None:
        """An upright hairline on whole pixels."""
        self.fill(QRectF(math.floor(x), y1, 1, y2 - y1), tone)

    def line(
        self,
        points: list[QPointF],
        tone: str | QColor,
        width: float = 1.0,
        dash: Qt.PenStyle = Qt.PenStyle.SolidLine,
    ) -> None:
        """A line through points."""
        pen = QPen(self.color(tone), width, dash)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawPolyline(QPolygonF(points))

    def polygon(self, points: list[QPointF], tone: str | QColor) -> None:
        """A filled shape without an outline."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.color(tone))
        self.painter.drawPolygon(QPolygonF(points))

    def box(
        self,
        rect: QRectF,
        fill: str | QColor | None,
        edge: str | QColor | None = None,
        radius: float = 0.0,
        width: float = 1.0,
    ) -> None:
        """A box with rounded corners; its edge lies inside the rectangle."""
        painter, half = self.painter, width / 2
        painter.setBrush(self.color(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.color(edge), width) if edge else Qt.PenStyle.NoPen)
        inner = rect.adjusted(half, half, -half, -half) if edge else rect
        painter.drawRoundedRect(inner, radius, radius)

    def tag(
        self,
        center: QPointF,
        text: str,
        fill: str,
        ink: str,
        edge: str | None = None,
        *,
        bold: bool = True,
    ) -> QRectF:
        """A short text on a small box around a point."""
        width = self.width(text, Role.CAPTION, bold=bold) + 12
        rect = QRectF(round(center.x() - width / 2), round(center.y() - 9), round(width), 18)
        self.box(rect, fill, edge, 4)
        self.text(
            rect.center().x(), rect.center().y(), text, Role.CAPTION, ink, Side.CENTER, bold=bold
        )
        return rect

    def patterned(self, rect: QRectF, tone: str | QColor, provenance: Provenance) -> None:
        """Fill a bar so that it says where its figure comes from.

        Measured is solid, modeled hatched, emulated dotted.
        """
        color = self.color(tone)
        if provenance is Provenance.MEASURED:
            self.fill(rect, color)
            return
        pale = QColor(color)
        pale.setAlphaF(0.28)
        self.fill(rect, pale)
        if provenance is Provenance.MODELED:
            self._hatch(rect, color)
        else:
            self._dots(rect, color)

    def _hatch(self, rect: QRectF, color: QColor) -> None:
        pen = QPen(color, 1.3)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        self.painter.setPen(pen)
        for line in slanted_lines(rect, 5, rect.left() - rect.height()):
            self.painter.drawLine(line)
        self.painter.setPen(Qt.PenStyle.NoPen)

    def _dots(self, rect: QRectF, color: QColor) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(color)
        inside = rect.adjusted(0, 0, -1.1, -1.1)
        for row in range(int(rect.height() // 4) + 1):
            x, y = rect.left() + 2 + (row % 2) * 2, rect.top() + 2 + 4 * row
            while x <= inside.right() and y <= inside.bottom():
                self.painter.drawEllipse(QPointF(x, y), 1.1, 1.1)
                x += 4


def slanted_lines(rect: QRectF, pitch: float, first_x: float) -> Iterator[QLineF]:
    """Lines that rise by 45° within a box; the first would begin at that x of its lower edge.

    They end at the box's edges by themselves: an SVG file knows no clipping of a painter.
    """
    x = first_x
    while x < rect.right():
        begin, end = max(0.0, rect.left() - x), min(rect.height(), rect.right() - x)
        if begin < end:
            yield QLineF(x + begin, rect.bottom() - begin, x + end, rect.bottom() - end)
        x += pitch


def face(role: Role, *, bold: bool = False) -> QFont:
    """The font of a role at the size that figures are laid out in."""
    made = font(role)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def text_width(text: str, role: Role = Role.CAPTION, *, bold: bool = False) -> float:
    """Width that a text takes in a figure."""
    return float(QFontMetricsF(face(role, bold=bold)).horizontalAdvance(text))
