# SPDX-License-Identifier: MIT
"""The operands of a matrix product beside it, with what the selected thread and its block read."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from threadloom.model.launch import ThreadId
from threadloom.model.trace import AccessKind, BlockTrace
from threadloom.presentation.mapping.access_times import places_of, steps
from threadloom.presentation.mapping.colormap import Colors, mix, packed, rgb
from threadloom.presentation.mapping.fitting import Room, Viewport, sheet
from threadloom.presentation.mapping.lattice import Sheet
from threadloom.text import _
from threadloom.ui.mapping.painting.annotations import swatch, text, text_width
from threadloom.ui.mapping.panes.block_pane import step_reached
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role

SPACE = 12
LARGEST = 24


class Operands:
    """A to the left of the product and B above it, all to one scale."""

    def __init__(self, drawing: Drawing, area: QRect) -> None:
        model = drawing.model
        names = model.product or ("", "")
        (rows, inner), (_inner, columns) = (model.shapes[name] for name in names)
        across = (area.width() - SPACE) / (inner + columns)
        down = (area.height() - SPACE) / (inner + rows)
        scale = min(across, down, LARGEST)
        scale = float(int(scale)) if scale >= 1 else scale
        left, top = round(inner * scale), round(inner * scale)
        x, y = area.left() + left + SPACE, area.top() + top + SPACE
        self.product = QRect(x, y, max(1, round(columns * scale)), max(1, round(rows * scale)))
        self._places = {
            names[0]: QRect(area.left(), y, max(1, left), self.product.height()),
            names[1]: QRect(x, area.top(), self.product.width(), max(1, top)),
        }
        self._lattices = {
            name: _lattice(model.shapes[name], place, drawing.ratio)
            for name, place in self._places.items()
        }
        self._images: dict[str, QImage] = {}
        self._key: tuple[object, ...] = ()

    @property
    def corner(self) -> QRect:
        """The free place above A and to the left of B."""
        first, second = self._places.values()
        return QRect(first.left(), second.top(), first.width(), first.top() - second.top() - SPACE)

    def paint(self, painter: QPainter, drawing: Drawing) -> None:
        """Draw A and B with the elements that were read so far."""
        self._refresh(drawing)
        for name, place in self._places.items():
            painter.drawImage(place.topLeft(), self._images[name])
        first, second = self._places
        appearance, product = drawing.appearance, self.product
        a, b = self._places[first], self._places[second]
        for name, corner in ((first, a.topLeft()), (second, b.topLeft())):
            at = QPointF(corner.x() + 6, corner.y() + 10)
            text(painter, appearance, at, name, "text", Role.BODY, bold=True)
        if product.height() > 60:
            self._paint_letter(painter, drawing, QPointF(product.left(), product.bottom() + 1))
        self._paint_legend(painter, drawing, QPointF(a.left(), product.bottom() + 16))

    def _paint_letter(self, painter: QPainter, drawing: Drawing, corner: QPointF) -> None:
        """Name the product in its lower left corner, on a ground: its cells have any color."""
        appearance, name = drawing.appearance, drawing.model.array
        width = text_width(appearance, name, Role.BODY) + 10
        ground = QRectF(corner.x(), corner.y() - 19, width, 19)
        painter.fillRect(ground, appearance.color("bg-canvas", 0.85))
        at = QPointF(corner.x() + 5, ground.center().y())
        text(painter, appearance, at, name, "text", Role.BODY, bold=True)

    def _paint_legend(self, painter: QPainter, drawing: Drawing, at: QPointF) -> None:
        trace = drawing.model.trace_of(drawing.block)
        if trace is None:
            return
        own, block, _now = _read_colors(drawing)
        x = swatch(painter, drawing.appearance, at, _("read by this thread"), _color(own))
        words = _("read by its block")
        swatch(painter, drawing.appearance, QPointF(x + 12, at.y()), words, _color(block))

    def _refresh(self, drawing: Drawing) -> None:
        trace = drawing.model.trace_of(drawing.block)
        reached = step_reached(drawing, steps(trace)) if trace else 0.0
        key = (id(trace), drawing.thread, reached, drawing.palette)
        if key == self._key and self._images:
            return
        self._key = key
        for name, lattice in self._lattices.items():
            self._images[name] = _image(drawing, name, lattice, trace, reached)


def _lattice(shape: tuple[int, ...], place: QRect, ratio: float) -> Sheet:
    room = Room(round(place.width() * ratio), round(place.height() * ratio), round(LARGEST * ratio))
    return sheet(shape[0], shape[1], room, Viewport())


def _read_colors(drawing: Drawing) -> tuple[Colors, Colors, Colors]:
    """Read by the thread, by its block, and by the thread just now."""
    palette = drawing.palette
    strong = rgb([drawing.appearance.color("s-h2d").name()])[0]
    return mix(palette.idle, strong, 0.75), mix(palette.idle, strong, 0.3), strong


def _color(colors: Colors) -> QColor:
    red, green, blue = (round(float(part)) for part in colors)
    return QColor(red, green, blue)


def _image(
    drawing: Drawing, name: str, lattice: Sheet, trace: BlockTrace | None, reached: float
) -> QImage:
    colors = np.broadcast_to(drawing.palette.idle, (*lattice.shape, 3)).copy()
    if trace is not None and name in trace.arrays and drawing.thread is not None:
        own, block, now = _read_colors(drawing)
        for flags, color in zip(
            _reads(drawing, trace, name, reached), (block, own, now), strict=True
        ):
            colors[lattice.any(flags)] = color
    words = packed(colors)
    rows = lattice.rows_of_pixels(0)
    columns = lattice.columns_of_pixels(0)
    pixels = np.ascontiguousarray(words[rows.clip(0)[:, None], columns.clip(0)[None, :]])
    pixels[rows < 0, :] = packed(drawing.palette.canvas)
    pixels[:, columns < 0] = packed(drawing.palette.canvas)
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32).copy()
    image.setDevicePixelRatio(drawing.ratio)
    return image


def _reads(
    drawing: Drawing, trace: BlockTrace, name: str, reached: float
) -> list[npt.NDArray[np.bool_]]:
    """Elements read so far: by the block, by the thread, and last by the thread."""
    number = trace.arrays.index(name)
    made = places_of(trace, drawing.model.launch)
    kinds = np.array([site.kind is AccessKind.READ for site in drawing.model.sites])
    mine = (trace.array == number) & kinds[trace.site] & (made <= reached)
    size = int(np.prod(drawing.model.shapes[name], dtype=np.int64))
    inside = mine & (trace.element >= 0) & (trace.element < size)
    own = inside & (trace.thread == _number(drawing.thread, drawing))
    last = own & (trace.step == trace.step[own].max()) if own.any() else own
    return [_flags(size, trace.element[rows]) for rows in (inside, own, last)]


def _flags(size: int, elements: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    flags = np.zeros(size, dtype=np.bool_)
    flags[elements] = True
    return flags


def _number(thread: ThreadId | None, drawing: Drawing) -> int:
    return -1 if thread is None else drawing.model.launch.block.linear(thread.thread)
