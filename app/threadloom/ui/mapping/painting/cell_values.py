# SPDX-License-Identifier: MIT
"""Values and indices written on large cells of the data."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from threadloom.presentation.mapping.elements import short_value
from threadloom.presentation.mapping.lattice import Lattice
from threadloom.presentation.mapping.level_of_detail import INDICES, VALUES
from threadloom.ui.mapping.painting.cell_image import CellPicture
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role

MOST = 400
"""Cells that are written on; more of them would not be read, and would take longer than a frame."""
LINE = 13
LIGHT = 140.0
"""Brightness from which on a cell's text is dark."""
_BRIGHTNESS = np.array([0.299, 0.587, 0.114])


def paint_values(
    painter: QPainter, drawing: Drawing, lattice: Lattice, picture: CellPicture, detail: int
) -> None:
    """Write each element's value, once it has one, and its index where there is room."""
    rows, columns = lattice.shape
    size = lattice.pitch / drawing.ratio
    if detail < VALUES or rows * columns > MOST:
        return
    shading = picture.shading
    light = shading.at(drawing.time_s) @ _BRIGHTNESS > LIGHT
    written = (shading.changes[0][0] <= drawing.time_s) & ~shading.never
    cells = lattice.samples(1)[..., 0]
    font = drawing.appearance.font(Role.CAPTION)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    for row, column in np.argwhere(shading.present & (cells >= 0)):
        element = int(cells[row, column])
        tone = "bg-canvas" if bool(light[row, column]) == drawing.palette.dark else "text"
        painter.setPen(drawing.appearance.color(tone))
        named = detail >= INDICES
        done = bool(written[row, column])
        lines = _lines(drawing, element, metrics, size, written=done, named=named)
        _paint_lines(painter, metrics, picture.rect_of(element), lines)


def _lines(
    drawing: Drawing,
    element: int,
    metrics: QFontMetricsF,
    size: float,
    *,
    written: bool,
    named: bool,
) -> list[str]:
    values = drawing.model.flat_values
    texts = [str(element)] if named else []
    texts = [words for words in texts if metrics.horizontalAdvance(words) < size - 2]
    if values is None or not written:
        return texts
    tried = (short_value(values[element], digits) for digits in (4, 3, 2))
    fitting = [words for words in tried if metrics.horizontalAdvance(words) < size - 4]
    return fitting[:1] + texts


def _paint_lines(painter: QPainter, metrics: QFontMetricsF, rect: QRectF, lines: list[str]) -> None:
    middle = (metrics.ascent() - metrics.descent()) / 2
    for number, words in enumerate(lines):
        x = rect.center().x() - metrics.horizontalAdvance(words) / 2
        y = rect.center().y() + (number - (len(lines) - 1) / 2) * LINE
        painter.drawText(QPointF(x, round(y + middle)), words)
