# SPDX-License-Identifier: MIT
"""Choose the size of cells so that all of them fit a pane, or as a user has zoomed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from threadloom.model.dim3 import ceil_div
from threadloom.presentation.mapping.lattice import Flow, Lattice, Sheet


@dataclass(frozen=True, slots=True)
class Room:
    """A pane in device pixels, with the largest pitch that looks well in it."""

    width: int
    height: int
    largest: int
    least: int = 1
    """Smallest pitch before cells are put together."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """Where a user has zoomed to: 1 fits, and (0, 0) is the upper left corner."""

    zoom: float = 1.0
    left: float = 0.0
    """Pixels beyond the pane's left edge."""
    top: float = 0.0
    detail: int = 0
    """Level of detail before the last zoom."""

    @property
    def fits(self) -> bool:
        """Whether all is in sight."""
        return self.zoom == 1.0 and self.left == 0.0 and self.top == 0.0


def row_multiple(count: int, wanted: int) -> int:
    """A row of elements holds a multiple of 32, fewer when there are only some."""
    if wanted == 1:
        return 1
    return wanted if count > 2 * wanted else 8 if count > 8 else 1


def _columns(width: int, pitch: int, multiple: int) -> int:
    """Cells of a row: a multiple, but for a pane that is narrower than that many pixels."""
    fitting = width // pitch
    return fitting // multiple * multiple if width >= multiple else fitting


def fitting_pitch(count: int, room: Room, multiple: int) -> int:
    """Largest whole pitch at which so many cells fit in rows; 0 if not even one pixel each does."""
    for pitch in range(min(room.largest, room.width), 0, -1):
        columns = min(_columns(room.width, pitch, multiple), count)
        if columns and ceil_div(count, columns) * pitch <= room.height:
            return pitch
    return 0


def flow(count: int, room: Room, viewport: Viewport, multiple: int = 1) -> Flow:
    """Lay ``count`` cells out in rows; zooming makes them flow anew."""
    multiple = row_multiple(count, multiple)
    pitch = fitting_pitch(count, room, multiple)
    full_row = max(1, _columns(room.width, 1, multiple))
    scale: float = pitch or 1.0 / ceil_div(count, full_row * room.height)
    scale = min(scale * viewport.zoom, max(room.largest, pitch))
    if scale >= 1:
        fitting = _columns(room.width, int(scale), multiple) or room.width // int(scale)
        columns = max(1, min(fitting, count))
        made = Flow(count, room.width, room.height, columns, int(scale))
    else:
        made = Flow(count, room.width, room.height, full_row, 1, math.ceil(1 / scale - 1e-9))
    lowest = max(0, made.size[1] - room.height)
    top = min(max(0, int(viewport.top)), lowest)
    return Flow(count, made.width, made.height, made.columns, made.pitch, made.bucket, top)


def sheet(rows: int, columns: int, room: Room, viewport: Viewport, base: int = 0) -> Sheet:
    """Lay a matrix out with square cells."""
    fit = min(room.width / columns, room.height / rows, room.largest)
    scale = min((math.floor(fit) if fit >= 1 else fit) * viewport.zoom, max(room.largest, fit))
    scale = float(math.floor(scale)) if scale >= 1 else scale
    made = Sheet(rows, columns, room.width, room.height, scale)
    width, height = made.size
    left = min(max(0, int(viewport.left)), max(0, width - room.width))
    top = min(max(0, int(viewport.top)), max(0, height - room.height))
    return Sheet(rows, columns, room.width, room.height, scale, left, top, base)


def zoomed_at(
    before: Lattice, after_of: LookToLattice, viewport: Viewport, factor: float, x: float, y: float
) -> Viewport:
    """Zoom by a factor so that the cell under a pixel stays there."""
    index = before.index_at(x, y)
    zoom = max(1.0, viewport.zoom * factor)
    if zoom == 1.0:
        return Viewport()
    if index is None:
        return Viewport(zoom, viewport.left * factor, viewport.top * factor)
    box = after_of(Viewport(zoom)).box_of(index)
    return Viewport(zoom, box.x + box.width / 2 - x, box.y + box.height / 2 - y)


class LookToLattice:
    """Lays the same cells out for another look."""

    def __init__(
        self, count: int, shape: tuple[int, int] | None, room: Room, multiple: int
    ) -> None:
        self._count = count
        self._shape = shape
        self._room = room
        self._multiple = multiple

    def __call__(self, viewport: Viewport, base: int = 0) -> Lattice:
        """Rows for a plain number of cells, a matrix for a shape."""
        if self._shape is None:
            return flow(self._count, self._room, viewport, self._multiple)
        return sheet(*self._shape, self._room, viewport, base)
