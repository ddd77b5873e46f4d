# SPDX-License-Identifier: MIT
"""From colors of cells to pixels: gaps, hatching and faults that must not be lost."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from threadloom.presentation.mapping.colormap import Colors, mix, packed
from threadloom.presentation.mapping.lattice import Indices
from threadloom.presentation.mapping.shading import Flags, Words

HATCH_STEP = 7.0
"""Distance of two hatch lines along x, in device-independent pixels."""
HATCH_WIDTH = 1.3
"""Width of a hatch line."""
_FINE = 4
"""Samples along each side of a pixel for smooth hatch lines."""
_REACH = 4
"""Half of the window that tells a hatched area from a single fault, in pixels."""


def expanded(words: Words, rows: Indices, columns: Indices) -> Words:
    """Pixels of cells: each pixel row and column takes the cell with its number."""
    return np.ascontiguousarray(words[rows[:, None], columns[None, :]])


def expanded_flags(flags: Flags, rows: Indices, columns: Indices) -> Flags:
    """Like `expanded`, for flags; gaps are not flagged."""
    found: Flags = flags[rows[:, None], columns[None, :]]
    found &= (rows >= 0)[:, None] & (columns >= 0)[None, :]
    return found


def framed(rows: Indices, columns: Indices, width: int) -> Flags:
    """Pixels at the edges of cells, so many wide."""
    edges: Flags = _edges(rows, width)[:, None] | _edges(columns, width)[None, :]
    return edges


def _edges(numbers: Indices, width: int) -> npt.NDArray[np.bool_]:
    changes = np.flatnonzero(np.diff(numbers, prepend=-2, append=-2))
    found = np.zeros(numbers.size, dtype=np.bool_)
    for step in range(width):
        found[np.minimum(changes[:-1] + step, numbers.size - 1)] = True
        found[np.maximum(changes[1:] - 1 - step, 0)] = True
    return found


@cache
def hatch_cover(ratio: float) -> npt.NDArray[np.float32]:
    """Share of each pixel of a tile that rising lines cover; side: 7 device-independent pixels."""
    side = round(HATCH_STEP * ratio)
    fine = (np.arange(side * _FINE) + 0.5) / _FINE
    # Across the lines a step is shorter by the square root of 2 than along x.
    distance = np.abs((fine[:, None] + fine[None, :] + side / 2) % side - side / 2) / np.sqrt(2)
    inside = distance < HATCH_WIDTH * ratio / 2
    tile = inside.reshape(side, _FINE, side, _FINE).mean(axis=(1, 3))
    return np.asarray(tile, dtype=np.float32)


def hatch_tile(line: Colors, paper: Colors, ratio: float) -> Words:
    """A square tile of hatching over 10 % of its own color."""
    cover = hatch_cover(ratio)[..., None]
    ground = mix(paper, line, 0.10)
    return packed(np.asarray(ground + (line - ground) * cover, dtype=np.float32))


def paint_hatch(pixels: Words, where: Flags, tile: Words) -> None:
    """Fill flagged pixels with hatching."""
    rows, columns = np.nonzero(where)
    side = len(tile)
    pixels[rows, columns] = tile[rows % side, columns % side]


def wide(where: Flags) -> Flags:
    """Flagged pixels amid enough others that hatching between lines would not hide them."""
    reach = _REACH
    padded = np.pad(where.astype(np.int32), reach + 1)
    sums = padded.cumsum(axis=0).cumsum(axis=1)
    side = 2 * reach + 1
    window = (
        sums[side:-1, side:-1]
        - sums[: -side - 1, side:-1]
        - sums[side:-1, : -side - 1]
        + sums[: -side - 1, : -side - 1]
    )
    found: Flags = where & (window >= side * 2)
    return found


def mark_faults(
    pixels: Words, never: Flags, multiple_writers: Flags, colors: tuple[Colors, Colors], tile: Words
) -> None:
    """Color faulty pixels; ``colors`` are those of a never and of a several times written cell.

    Where cells are small, one faulty element alone colors its pixel fully.
    """
    pixels[multiple_writers] = packed(colors[1])
    if never.any():
        pixels[never] = packed(colors[0])
        paint_hatch(pixels, wide(never), tile)


def dimmed(pixels: Words, keep: Flags, paper: Colors, share: float) -> Words:
    """Mix pixels that are not kept into the paper, leaving ``share`` of them."""
    parts = np.stack([(pixels >> shift) & 0xFF for shift in (16, 8, 0)], axis=-1)
    pale = packed(mix(np.broadcast_to(paper, parts.shape), parts.astype(np.float32), share))
    return np.where(keep, pixels, pale)
