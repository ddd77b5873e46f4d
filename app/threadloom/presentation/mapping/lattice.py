# SPDX-License-Identifier: MIT
"""Where the cells of a pane lie, by arithmetic only: no cell is ever stored.

All lengths are device pixels from the pane's corner. A *bucket* is what one drawn cell stands for:
one block or element, or several of them where there are more than pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from threadloom.model.dim3 import ceil_div

Indices = npt.NDArray[np.int64]


class Box(NamedTuple):
    """A rectangle in device pixels."""

    x: int
    y: int
    width: int
    height: int


class Lattice(Protocol):
    """Placement of cells in a pane."""

    @property
    def pitch(self) -> int:
        """Pixels from one drawn cell to the next."""

    @property
    def per_bucket(self) -> float:
        """Cells that one drawn cell stands for, on average."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of buckets that are in sight."""

    def columns_of_pixels(self, gap: int) -> Indices:
        """Bucket column in sight of each pixel column; -1 for gaps and outside."""

    def rows_of_pixels(self, gap: int) -> Indices:
        """Bucket row in sight of each pixel row; -1 for gaps and outside."""

    def samples(self, most: int) -> Indices:
        """Up to so many cells of each bucket in sight: (rows, columns, samples); -1 for none."""

    def any(self, flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Whether any cell of each bucket in sight is flagged; ``flags`` has one entry a cell."""

    def index_at(self, x: float, y: float) -> int | None:
        """First cell of the bucket under a pixel."""

    def box_of(self, index: int) -> Box:
        """Rectangle of a cell's bucket, gap included; it may lie out of sight."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of all cells together."""


def pixels_to_buckets(length: int, offset: int, pitch: int, buckets: int, gap: int) -> Indices:
    """Bucket of each of ``length`` pixels, counted from the first one in sight; -1 for none.

    ``offset`` is the pixel of the whole picture that lies at the pane's edge.
    """
    at = np.arange(length, dtype=np.int64) + offset
    bucket = at // pitch
    inside = (bucket < buckets) & (bucket >= 0) & (at % pitch < pitch - gap)
    return np.where(inside, bucket - max(offset, 0) // pitch, -1)


@dataclass(frozen=True, slots=True)
class Flow:
    """Cells in rows, one after another, as words on a page."""

    count: int
    width: int
    height: int
    columns: int
    """Buckets of one row."""
    pitch: int
    bucket: int = 1
    """Cells of one bucket."""
    scroll: int = 0
    """Pixels above the pane's upper edge."""

    @property
    def per_bucket(self) -> float:
        """Cells that one drawn cell stands for."""
        return float(self.bucket)

    @property
    def row_length(self) -> int:
        """Cells of one row."""
        return self.columns * self.bucket

    @property
    def rows(self) -> int:
        """Rows in all."""
        return ceil_div(self.count, self.row_length)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of all rows together."""
        columns = min(self.columns, ceil_div(self.count, self.bucket))
        return columns * self.pitch, self.rows * self.pitch

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of buckets that are in sight."""
        last = min(self.rows, ceil_div(self.scroll + self.height, self.pitch))
        return max(0, last - self._first_row), self.columns

    @property
    def _first_row(self) -> int:
        return self.scroll // self.pitch

    def columns_of_pixels(self, gap: int) -> Indices:
        """Bucket column of each pixel column; -1 for gaps and outside."""
        return pixels_to_buckets(self.width, 0, self.pitch, self.columns, gap)

    def rows_of_pixels(self, gap: int) -> Indices:
        """Bucket row in sight of each pixel row; -1 for gaps and outside."""
        return pixels_to_buckets(self.height, self.scroll, self.pitch, self.rows, gap)

    def samples(self, most: int) -> Indices:
        """Up to so many cells of each bucket in sight, evenly spaced."""
        rows, columns = self.shape
        first = (np.arange(rows * columns, dtype=np.int64)) * self.bucket
        first += self._first_row * self.row_length
        taken = min(most, self.bucket)
        steps = (np.arange(taken, dtype=np.int64) * self.bucket) // taken
        cells = first[:, None] + steps
        cells[cells >= self.count] = -1
        return cells.reshape(rows, columns, taken)

    def any(self, flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Whether any cell of each bucket in sight is flagged."""
        rows, columns = self.shape
        start = self._first_row * self.row_length
        part = flags[start : start + rows * self.row_length]
        found = np.zeros(rows * columns, dtype=np.bool_)
        if part.size:
            edges = np.arange(0, part.size, self.bucket)
            found[: edges.size] = np.logical_or.reduceat(part, edges)
        return found.reshape(rows, columns)

    def index_at(self, x: float, y: float) -> int | None:
        """First cell of the bucket under a pixel."""
        column, row = int(x // self.pitch), int((y + self.scroll) // self.pitch)
        index = row * self.row_length + column * self.bucket
        inside = 0 <= column < self.columns and row >= 0 and index < self.count
        return index if inside else None

    def box_of(self, index: int) -> Box:
        """Rectangle of a cell's bucket, gap included."""
        row, rest = divmod(index, self.row_length)
        x = rest // self.bucket * self.pitch
        return Box(x, row * self.pitch - self.scroll, self.pitch, self.pitch)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cells in a matrix, x to the right and y downwards."""

    rows: int
    columns: int
    width: int
    height: int
    scale: float
    """Pixels of one cell: a whole number from 1 on, or a fraction."""
    left: int = 0
    """Pixels beyond the pane's left edge."""
    top: int = 0
    """Pixels above the pane's upper edge."""
    base: int = 0
    """Number of the first cell, for a slice of a solid."""

    @property
    def pitch(self) -> int:
        """Pixels from one drawn cell to the next."""
        return max(1, int(self.scale))

    @property
    def per_bucket(self) -> float:
        """Cells that one drawn cell stands for, on average."""
        return 1.0 if self.scale >= 1 else 1.0 / (self.scale * self.scale)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of all cells together."""
        return self._pixels(self.columns), self._pixels(self.rows)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of buckets that are in sight."""
        return (
            self._in_sight(self.rows, self.top, self.height),
            self._in_sight(self.columns, self.left, self.width),
        )

    def columns_of_pixels(self, gap: int) -> Indices:
        """Bucket column in sight of each pixel column; -1 for gaps and outside."""
        buckets = self._pixels(self.columns) // self.pitch
        return pixels_to_buckets(self.width, self.left, self.pitch, buckets, gap)

    def rows_of_pixels(self, gap: int) -> Indices:
        """Bucket row in sight of each pixel row; -1 for gaps and outside."""
        buckets = self._pixels(self.rows) // self.pitch
        return pixels_to_buckets(self.height, self.top, self.pitch, buckets, gap)

    def samples(self, most: int) -> Indices:
        """Up to so many cells of each bucket in sight, on a small slanted grid inside it."""
        rows = self._edges(self.rows, self.top, self.height)
        columns = self._edges(self.columns, self.left, self.width)
        taken = 1 if self.scale >= 1 else max(1, min(most, round(self.per_bucket)))
        across = (np.arange(taken) + 0.5) / taken
        down = (np.arange(taken) * 0.618 + 0.5) % 1.0
        y = (rows[:-1, None] + down * np.diff(rows)[:, None]).astype(np.int64)
        x = (columns[:-1, None] + across * np.diff(columns)[:, None]).astype(np.int64)
        return self.base + y[:, None, :] * self.columns + x[None, :, :]

    def any(self, flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Whether any cell of each bucket in sight is flagged."""
        plane = flags[self.base : self.base + self.rows * self.columns]
        rows = self._edges(self.rows, self.top, self.height)
        columns = self._edges(self.columns, self.left, self.width)
        if not (len(rows) > 1 and len(columns) > 1):
            return np.zeros(self.shape, dtype=np.bool_)
        part = plane.reshape(self.rows, self.columns)[rows[0] : rows[-1], columns[0] : columns[-1]]
        tall = np.logical_or.reduceat(part, rows[:-1] - rows[0], axis=0)
        found: npt.NDArray[np.bool_] = np.logical_or.reduceat(
            tall, columns[:-1] - columns[0], axis=1
        )
        return found

    def index_at(self, x: float, y: float) -> int | None:
        """First cell of the bucket under a pixel."""
        step = self.pitch if self.scale >= 1 else self.scale
        column, row = int((x + self.left) // step), int((y + self.top) // step)
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return self.base + row * self.columns + column if inside else None

    def box_of(self, index: int) -> Box:
        """Rectangle of a cell's bucket, gap included."""
        row, column = divmod(index - self.base, self.columns)
        step = self.pitch if self.scale >= 1 else self.scale
        x, y = int(column * step) - self.left, int(row * step) - self.top
        return Box(x, y, self.pitch, self.pitch)

    def _pixels(self, cells: int) -> int:
        if self.scale >= 1:
            return cells * self.pitch
        return max(1, int(cells * self.scale))

    def _in_sight(self, cells: int, offset: int, length: int) -> int:
        buckets = self._pixels(cells) // self.pitch
        last = min(buckets, ceil_div(offset + length, self.pitch))
        return max(0, last - max(offset, 0) // self.pitch)

    def _edges(self, cells: int, offset: int, length: int) -> Indices:
        """First cell of each bucket in sight, and the end of the last one."""
        count = self._in_sight(cells, offset, length)
        first = max(offset, 0) // self.pitch
        buckets = first + np.arange(count + 1, dtype=np.int64)
        if self.scale >= 1:
            return buckets
        total = self._pixels(cells)
        return (buckets * cells) // total
