# SPDX-License-Identifier: MIT
"""Where the threads of a block lie: rows of lanes, with space between the warps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.launch import WARP_SIZE
from threadloom.presentation.mapping.lattice import Box, Indices


@dataclass(frozen=True, slots=True)
class WarpLattice:
    """Threads of one block, in rows of 32 lanes or of the block's x."""

    count: int
    columns: int
    across: int
    """Pixels from one thread to the next along x."""
    down: int
    """Pixels from one row to the next within a warp."""
    group: int
    """Rows of one warp; 0 if warps do not end with rows."""
    space: int
    """More pixels between two groups."""

    @property
    def rows(self) -> int:
        """Rows of threads."""
        return ceil_div(self.count, self.columns)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.columns * self.across, self.top_of(self.rows - 1) + self.down

    def top_of(self, row: int) -> int:
        """Upper edge of a row."""
        spaces = row // self.group * self.space if self.group else 0
        return row * self.down + spaces

    def columns_of_pixels(self, gap: int) -> Indices:
        """Column of each pixel column; -1 for gaps."""
        at = np.arange(self.size[0])
        return np.where(at % self.across < self.across - gap, at // self.across, -1)

    def rows_of_pixels(self, gap: int) -> Indices:
        """Row of each pixel row; -1 for gaps and between warps."""
        result = np.full(self.size[1], -1, dtype=np.int64)
        for row in range(self.rows):
            top = self.top_of(row)
            result[top : top + self.down - gap] = row
        return result

    def index_at(self, x: float, y: float) -> int | None:
        """Number of the thread under a pixel."""
        column = int(x // self.across)
        if not 0 <= column < self.columns or y < 0:
            return None
        period = self.group * self.down + self.space if self.group else self.down
        whole, rest = divmod(int(y), period)
        row = whole * (self.group or 1) + min(rest // self.down, (self.group or 1) - 1)
        index = row * self.columns + column
        return index if index < self.count else None

    def box_of(self, index: int) -> Box:
        """Rectangle of a thread, gap included."""
        row, column = divmod(index, self.columns)
        return Box(column * self.across, self.top_of(row), self.across, self.down)

    def box_of_warp(self, warp: int) -> Box:
        """Rectangle of a warp's rows; only where warps end with rows, so that ``group`` is set."""
        first = warp * WARP_SIZE // self.columns
        last = min(first + self.group, self.rows) - 1
        top = self.top_of(first)
        return Box(0, top, self.columns * self.across, self.top_of(last) + self.down - top)


def lay_out_threads(block: Dim3, width: int, height: int, largest: int) -> WarpLattice:
    """Fit a block's threads into so many pixels."""
    count = max(1, block.count)
    columns = max(1, block.x) if block.rank > 1 else min(WARP_SIZE, count)
    rows = ceil_div(count, columns)
    group = WARP_SIZE // columns if WARP_SIZE % columns == 0 else int(columns % WARP_SIZE == 0)
    across = max(1, min(width // columns, largest))
    warps = ceil_div(rows, group) if group else 1
    down = max(1, min(across if block.rank > 1 else round(1.6 * across), height // rows))
    space = 0
    if warps > 1 and group > 1:
        space = max(1, down // 3)
        down = max(1, min(down, (height - space * (warps - 1)) // rows))
    elif warps > 1:
        space = min(max(0, down // 6), (height - down * rows) // (warps - 1))
    return WarpLattice(count, columns, across, down, group, max(0, space))
