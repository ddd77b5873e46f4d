# SPDX-License-Identifier: MIT
"""Exchange the rows and columns of a matrix."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.message import N_, NOTHING, Message, _
from threadloom.model.operation import Argument, Axis, LaunchRule, Operation, Role, Variant
from threadloom_kernels import inputs, rules

_TILE = 32
"""``TILE`` of ``shared_tile.cu``."""
_TILE_ROWS = 8
"""Rows of threads by default: each thread then turns four elements."""


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    return {"B": np.ascontiguousarray(arrays["A"].T)}


def _tiles(sizes: Sizes, _block: Dim3) -> Dim3:
    return Dim3(rules.blocks_for(sizes["cols"], _TILE), rules.blocks_for(sizes["rows"], _TILE))


def _needs_tile(block: Dim3) -> Message:
    if block.x == _TILE and block.z == 1:
        return NOTHING
    return _("This kernel's tiles are 32 elements wide, so its block must have 32 threads along x.")


def _element(lists: Mapping[str, Any], _sizes: Sizes, index: tuple[int, ...]) -> float:
    return float(lists["A"][index[1]][index[0]])


OPERATION = Operation(
    name="transpose",
    title=N_("Transpose"),
    summary=N_("Swap the rows and columns of a matrix."),
    formula="B[col][row] = A[row][col]",
    axes=(Axis("rows", 1024, N_("rows of A")), Axis("cols", 1024, N_("columns of A"))),
    arguments=(
        Argument("A", Role.IN, ("rows", "cols"), inputs.unit),
        Argument("B", Role.OUT, ("cols", "rows"), inputs.poison),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    frameworks={
        "cupy": lambda cp, arrays, out: cp.copyto(out["B"], arrays["A"].T),
        "torch": lambda _torch, arrays, out: out["B"].copy_(arrays["A"].T),
    },
    tolerance=lambda _sizes, _dtype: 0.0,
    bytes_moved=lambda sizes, item: 2 * sizes["rows"] * sizes["cols"] * item,
    flops=lambda _sizes: 0,
    variants=(
        Variant(
            name="naive",
            title=N_("One thread per element"),
            summary=N_("Coalesced reads, writes with the stride of a row of B."),
            file="naive.cu",
            entry="transpose_naive",
            rule=rules.plane("rows", "cols"),
            follows="B",
        ),
        Variant(
            name="shared_tile",
            title=N_("Tiled, shared memory"),
            summary=N_(
                "A block transposes a 32 × 32 tile in shared memory, so that reads and writes are "
                "coalesced."
            ),
            file="shared_tile.cu",
            entry="transpose_tiled",
            rule=LaunchRule(
                block=lambda _sizes: Dim3(_TILE, _TILE_ROWS),
                grid=_tiles,
                block_valid=_needs_tile,
            ),
            follows="B",
        ),
    ),
)
