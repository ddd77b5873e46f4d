# SPDX-License-Identifier: MIT
"""Multiply two matrices: from one thread per element to tiles in shared memory."""

import math
from collections.abc import Mapping
from typing import Any

from threadloom.model.array import Array, Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.message import N_, NOTHING, Message, _
from threadloom.model.operation import Argument, Axis, LaunchRule, Operation, Role, Variant
from threadloom_kernels import inputs, precision, rules

_TILE = 16
"""``TILE`` of ``shared_tile.cu``."""


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    return {"C": arrays["A"] @ arrays["B"]}


def _bytes_moved(sizes: Sizes, item: int) -> int:
    """Both factors read once and the product written once; a kernel may well read them often."""
    m, n, k = sizes["m"], sizes["n"], sizes["k"]
    return (m * k + k * n + m * n) * item


def _needs_tile(block: Dim3) -> Message:
    if tuple(block) == (_TILE, _TILE, 1):
        return NOTHING
    return _("This kernel's tiles have 16 × 16 elements, so its block must have 16 × 16 threads.")


def _needs_square(block: Dim3) -> Message:
    if block.x == block.y and block.z == 1:
        return NOTHING
    return _("This kernel's tiles are as large as the block, so the block must be a square.")


def _grid(sizes: Sizes, block: Dim3) -> Dim3:
    return rules.plane("m", "n").grid(sizes, block)


def _element(lists: Mapping[str, Any], sizes: Sizes, index: tuple[int, ...]) -> float:
    row, col = index
    return math.fsum(lists["A"][row][i] * lists["B"][i][col] for i in range(sizes["k"]))


OPERATION = Operation(
    name="matmul",
    title=N_("Matrix multiply"),
    summary=N_("Multiply an m × k matrix by a k × n matrix."),
    formula="C = A · B",
    axes=(
        Axis("m", 512, N_("rows of A and C")),
        Axis("n", 512, N_("columns of B and C")),
        Axis("k", 512, N_("columns of A, rows of B")),
    ),
    arguments=(
        Argument("A", Role.IN, ("m", "k"), inputs.unit),
        Argument("B", Role.IN, ("k", "n"), inputs.unit),
        Argument("C", Role.OUT, ("m", "n"), inputs.poison),
        Argument("m", Role.SIZE),
        Argument("n", Role.SIZE),
        Argument("k", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    frameworks={
        "cupy": lambda cp, arrays, out: cp.matmul(arrays["A"], arrays["B"], out=out["C"]),
        # In full single precision, as PyTorch has it by default.
        "torch": lambda torch, arrays, out: torch.matmul(arrays["A"], arrays["B"], out=out["C"]),
    },
    framework_library="cuBLAS",
    tolerance=lambda sizes, dtype: precision.accumulated(sizes["k"], dtype),
    bytes_moved=_bytes_moved,
    flops=lambda sizes: 2 * sizes["m"] * sizes["n"] * sizes["k"],
    variants=(
        Variant(
            name="shared_tile",
            title=N_("Tiled, shared memory"),
            summary=N_(
                "A block loads 16 × 16 tiles into shared memory; each value is used by 16 threads."
            ),
            file="shared_tile.cu",
            entry="mm_tiled",
            rule=LaunchRule(
                block=lambda _sizes: Dim3(_TILE, _TILE), grid=_grid, block_valid=_needs_tile
            ),
            follows="C",
        ),
        Variant(
            name="naive",
            title=N_("One thread per element"),
            summary=N_("Each thread reads a row of A and a column of B from global memory."),
            file="naive.cu",
            entry="mm_naive",
            rule=rules.plane("m", "n"),
            follows="C",
        ),
        Variant(
            name="dynamic_tile",
            title=N_("Tiled, block-sized"),
            summary=N_("Tiles of the block's size, in dynamic shared memory."),
            file="dynamic_tile.cu",
            entry="mm_dynamic",
            rule=LaunchRule(
                block=lambda _sizes: Dim3(_TILE, _TILE),
                grid=_grid,
                shared_bytes=lambda _sizes, block, item: 2 * block.x * block.y * item,
                block_valid=_needs_square,
            ),
            follows="C",
        ),
    ),
    row_axis="m",
)
