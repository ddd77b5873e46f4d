# SPDX-License-Identifier: MIT
"""Lines of text on a small ground, so that they read above hatching."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from threadloom.ui.mapping.painting.annotations import text, text_width
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Appearance, Role

_LINE = 18
_GAP = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a backdrop."""

    words: str
    tone: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Backdrop:
    """Lines around a middle."""

    middle: QPointF
    lines: tuple[Line, ...]
    framed: bool = False

    def box(self, appearance: Appearance) -> QRectF:
        """The ground that it covers."""
        width = max(_width(appearance, line) for line in self.lines)
        width += 28 if self.framed else 16
        height = _LINE * len(self.lines) + (24 if self.framed else 4)
        left, top = self.middle.x() - width / 2, self.middle.y() - height / 2
        return QRectF(QRectF(left, top, width, height).toRect())

    def below(self, other: QRectF, floor: float, appearance: Appearance) -> Backdrop:
        """The same below another backdrop, with as many of its lines as fit above a floor."""
        if not self.box(appearance).adjusted(0, -_GAP, 0, _GAP).intersects(other):
            return self
        lines = self.lines
        while True:
            lowered = replace(self, lines=lines)
            height = lowered.box(appearance).height()
            if len(lines) == 1 or other.bottom() + _GAP + height <= floor:
                break
            lines = lines[:-1]
        middle = QPointF(self.middle.x(), other.bottom() + _GAP + height / 2)
        return replace(lowered, middle=middle)


def paint_backdrop(painter: QPainter, drawing: Drawing, backdrop: Backdrop) -> None:
    """Draw ground and lines."""
    appearance = drawing.appearance
    box = backdrop.box(appearance)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill, edge = ("bg-raised", "border-strong") if backdrop.framed else ("bg-canvas", "bg-canvas")
    painter.setPen(QPen(appearance.color(edge), 1))
    painter.setBrush(appearance.color(fill))
    radius = 8 if backdrop.framed else 3
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for number, line in enumerate(backdrop.lines):
        y = box.center().y() + (number - (len(backdrop.lines) - 1) / 2) * _LINE
        at = QPointF(backdrop.middle.x() - _width(appearance, line) / 2, y)
        text(painter, appearance, at, line.words, line.tone, Role.BODY, bold=line.bold)


def _width(appearance: Appearance, line: Line) -> float:
    return text_width(appearance, line.words, Role.BODY, bold=line.bold)
