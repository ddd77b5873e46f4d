# SPDX-License-Identifier: MIT
"""Cells inside a rectangle of a pane, by arithmetic, and what a user has selected of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from threadloom.presentation.mapping.lattice import Flow, Indices, Lattice, Sheet


class Rectangle(NamedTuple):
    """A rectangle, in the pixels of a lattice."""

    left: float
    top: float
    right: float
    bottom: float


def cells_between(lattice: Lattice, box: Rectangle) -> Indices:
    """Every cell of the buckets that a rectangle touches; it is in the lattice's pixels."""
    if isinstance(lattice, Flow):
        return _of_flow(lattice, box)
    if isinstance(lattice, Sheet):
        return _of_sheet(lattice, box)
    return np.zeros(0, dtype=np.int64)


def _span(first: float, last: float, step: float, count: int) -> tuple[int, int]:
    """Numbers of the steps from one place to another, cut to those that there are."""
    return max(0, int(first // step)), min(count, int(last // step) + 1)


def _of_flow(lattice: Flow, box: Rectangle) -> Indices:
    pitch, across = lattice.pitch, lattice.columns
    left, right = _span(box.left, box.right, pitch, across)
    first, end = (box.top + lattice.scroll, box.bottom + lattice.scroll)
    top, bottom = _span(first, end, pitch, lattice.rows)
    if left >= right or top >= bottom:
        return np.zeros(0, dtype=np.int64)
    rows = np.arange(top, bottom, dtype=np.int64)[:, None] * lattice.row_length
    columns = np.arange(left * lattice.bucket, right * lattice.bucket, dtype=np.int64)
    cells = (rows + columns).reshape(-1)
    return cells[cells < lattice.count]


def _of_sheet(lattice: Sheet, box: Rectangle) -> Indices:
    step = lattice.pitch if lattice.scale >= 1 else lattice.scale
    left, right = _span(box.left + lattice.left, box.right + lattice.left, step, lattice.columns)
    top, bottom = _span(box.top + lattice.top, box.bottom + lattice.top, step, lattice.rows)
    if left >= right or top >= bottom:
        return np.zeros(0, dtype=np.int64)
    rows = np.arange(top, bottom, dtype=np.int64)[:, None] * lattice.columns
    columns = np.arange(left, right, dtype=np.int64)
    cells: Indices = lattice.base + (rows + columns).reshape(-1)
    return cells


class Kind(Enum):
    """What can be selected."""

    BLOCKS = auto()
    ELEMENTS = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Blocks or elements that a user has drawn a rectangle around."""

    kind: Kind
    cells: Indices
    """Linear numbers, ascending."""
