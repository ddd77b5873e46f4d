# SPDX-License-Identifier: MIT
"""Rings, tags, legends and color bars of the mapping."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QImage,
    QPainter,
    QPen,
    QPixmap,
)

from threadloom.presentation.mapping.colormap import packed
from threadloom.presentation.mapping.palette import Palette
from threadloom.presentation.mapping.raster import hatch_tile
from threadloom.ui.theme.theme import Appearance, Role

SMALLEST_RING = 6.0
SWATCH = 10


def text(
    painter: QPainter,
    appearance: Appearance,
    at: QPointF,
    words: str,
    tone: str = "text-3",
    role: Role = Role.CAPTION,
    *,
    bold: bool = False,
) -> float:
    """Write one line whose middle lies at a height; return where it ends."""
    font = appearance.font(role, bold=bold)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(appearance.color(tone))
    width = metrics.horizontalAdvance(words)
    baseline = at.y() + (metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(at.x(), round(baseline)), words)
    return at.x() + width


def text_width(
    appearance: Appearance, words: str, role: Role = Role.CAPTION, *, bold: bool = False
) -> float:
    """Width of a line of text."""
    return QFontMetricsF(appearance.font(role, bold=bold)).horizontalAdvance(words)


def ring(painter: QPainter, appearance: Appearance, around: QRectF) -> QRectF:
    """Mark the selected cell so that it shows on any fill; return the ring's middle line."""
    box = QRectF(around).adjusted(-1, -1, 1, 1)
    for missing in (SMALLEST_RING - box.width(), SMALLEST_RING - box.height()):
        if missing > 0:
            box.adjust(-missing / 2, -missing / 2, missing / 2, missing / 2)
            break
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for token, width in (("bg-canvas", 4.0), ("focus", 2.0)):
        pen = QPen(appearance.color(token), width)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(box)
    return box


def tag(
    painter: QPainter, appearance: Appearance, beside: QRectF, words: str, within: QRectF
) -> QRectF:
    """Write what is selected beside its ring, on the side where there is room."""
    font = appearance.font(Role.CAPTION, bold=True)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(words) + 10, metrics.height() + 3
    x = beside.right() + 5
    y = beside.center().y() - height / 2
    if x + width > within.right():
        x = beside.left() - 5 - width
    if x < within.left():
        x = min(max(within.left(), beside.left()), within.right() - width)
        above = beside.top() - 3 - height
        y = above if above >= within.top() else beside.bottom() + 3
    y = min(max(y, within.top()), within.bottom() - height)
    box = QRectF(round(x), round(y), round(width), round(height))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance.color("focus"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawRoundedRect(box, 4, 4)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setFont(font)
    painter.setPen(appearance.color("on-focus"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
    return box


def hatch_brush(palette: Palette, ratio: float) -> QBrush:
    """Hatching for shapes; a pixmap tile, since Qt's own patterns do not grow with the screen."""
    tile = np.ascontiguousarray(hatch_tile(palette.hatch, palette.canvas, ratio))
    side = len(tile)
    image = QImage(tile.data, side, side, side * 4, QImage.Format.Format_RGB32).copy()
    image.setDevicePixelRatio(ratio)
    return QBrush(QPixmap.fromImage(image))


def swatch(
    painter: QPainter,
    appearance: Appearance,
    at: QPointF,
    words: str,
    *fills: QColor | QBrush,
    edge: QColor | None = None,
) -> float:
    """One entry of a legend, with fills side by side; return where it ends."""
    box = QRectF(at.x(), round(at.y() - SWATCH / 2), SWATCH, SWATCH)
    for number, fill in enumerate(fills):
        painter.fillRect(box.translated(number * SWATCH, 0), fill)
    if edge is not None:
        painter.setPen(QPen(edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    after = at.x() + SWATCH * len(fills) + 5
    return text(painter, appearance, QPointF(after, at.y()), words, "text-3")


def color_bar(
    painter: QPainter,
    appearance: Appearance,
    palette: Palette,
    box: QRectF,
    ends: tuple[str, str],
) -> None:
    """The color map with its end values below."""
    words = np.ascontiguousarray(packed(palette.ramp))
    image = QImage(words.data, len(words), 1, len(words) * 4, QImage.Format.Format_RGB32)
    painter.drawImage(box, image)
    below = box.bottom() + 8
    text(painter, appearance, QPointF(box.left(), below), ends[0])
    width = text_width(appearance, ends[1])
    text(painter, appearance, QPointF(box.right() - width, below), ends[1])


def as_color(colors: np.ndarray[tuple[int], np.dtype[np.float32]]) -> QColor:
    """One color of a palette as Qt's."""
    red, green, blue = (round(float(part)) for part in colors)
    return QColor(red, green, blue)
