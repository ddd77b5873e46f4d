# SPDX-License-Identifier: MIT
"""When within its block's time an access takes place.

A block goes through its accesses step by step, and through each step warp after warp; the 32
lanes of a warp move together. Rows of statements, colors of elements and the operands of a
product all ask here, so that they agree.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from threadloom.model.array import Array
from threadloom.model.launch import WARP_SIZE, Launch
from threadloom.model.trace import BlockTrace, Coverage

Shares = npt.NDArray[np.float32]
"""Shares of a block's time, 0 to 1."""


def steps(trace: BlockTrace) -> int:
    """Steps that the block makes: the most accesses of one thread."""
    return int(trace.step.max()) + 1 if trace.step.size else 0


def places(step: Array, warp: Array, launch: Launch) -> npt.NDArray[np.float64]:
    """Ends of accesses in steps: the last warp makes step 0 until 1.0."""
    reached: npt.NDArray[np.float64] = step + (warp + 1.0) / max(1, launch.warps_per_block)
    return reached


def places_of(trace: BlockTrace, launch: Launch) -> npt.NDArray[np.float64]:
    """`places` of every row of a trace."""
    return places(trace.step, trace.thread // WARP_SIZE, launch)


def shares_by_order(trace: BlockTrace, coverage: Coverage, launch: Launch) -> Shares | None:
    """Share of a block's time at which a last write with each order takes place.

    Learnt from one block whose accesses are known; other blocks are taken to move like it. Orders
    that it does not have lie between those that it has. None if it wrote none of the elements.
    """
    first = launch.grid.linear(trace.block) * launch.threads_per_block
    number = trace.arrays.index(coverage.array) if coverage.array in trace.arrays else -1
    inside = (trace.element >= 0) & (trace.element < coverage.elements)
    rows = np.flatnonzero(inside & (trace.array == number))
    rows = rows[coverage.owner[trace.element[rows]] == first + trace.thread[rows]]
    if not rows.size:
        return None
    order = coverage.order[trace.element[rows]].astype(np.int64)
    share = places_of(trace, launch)[rows] / steps(trace)
    last = np.zeros(int(coverage.order.max()) + 1)
    np.maximum.at(last, order, share)  # a write follows the reads of the same element
    known = np.flatnonzero(last)
    found: Shares = np.interp(np.arange(last.size), known, last[known]).astype(np.float32)
    return found
