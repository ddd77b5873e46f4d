# SPDX-License-Identifier: MIT
"""Default blocks, and grids that cover a problem with any given block."""

from __future__ import annotations

from collections.abc import Callable

from threadloom.model.array import Sizes
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, Message, _
from threadloom.model.operation import LaunchRule, Variant

THREADS = 256
"""Threads of a block where one axis of threads is enough."""
MAX_GRID_YZ = 65_535
"""Most blocks along y or z on every GPU so far (CUDA C++ Programming Guide, technical
specifications per compute capability)."""
MAX_BLOCK = 1_024
"""Most threads of a block, and most along x or y."""
MAX_BLOCK_Z = 64
"""Most threads of a block along z."""


def blocks_for(extent: int, threads: int) -> int:
    """Blocks that cover an extent; a block without threads, which is refused later, counts as 1."""
    return ceil_div(extent, max(threads, 1))


def line(axis: str) -> LaunchRule:
    """One thread per element along ``axis``."""
    return LaunchRule(
        block=lambda _sizes: Dim3(THREADS),
        grid=lambda sizes, block: Dim3(blocks_for(sizes[axis], block.x)),
    )


def line_of_x(
    axis: str, shared_bytes: Callable[[Sizes, Dim3, int], int] = lambda _sizes, _block, _item: 0
) -> LaunchRule:
    """One thread per element along ``axis``, for kernels that number a block's threads along x."""
    each = line(axis)
    return LaunchRule(
        block=each.block, grid=each.grid, shared_bytes=shared_bytes, block_valid=only_x
    )


def plane(rows: str, cols: str) -> LaunchRule:
    """One thread per element of a matrix; x runs along a row, as the elements do in memory."""
    return LaunchRule(
        block=lambda sizes: plane_block(sizes[rows]),
        grid=lambda sizes, block: Dim3(
            blocks_for(sizes[cols], block.x), blocks_for(sizes[rows], block.y)
        ),
    )


def space(depth: str, rows: str, cols: str) -> LaunchRule:
    """One thread per element of a tensor of three axes; x runs along a row."""
    return LaunchRule(
        block=lambda sizes: space_block(sizes[depth], sizes[rows]),
        grid=lambda sizes, block: Dim3(
            blocks_for(sizes[cols], block.x),
            blocks_for(sizes[rows], block.y),
            blocks_for(sizes[depth], block.z),
        ),
    )


def row_per_block(rows: str) -> LaunchRule:
    """One block per row, with one element of shared memory per thread."""
    return LaunchRule(
        block=lambda _sizes: Dim3(THREADS),
        grid=lambda sizes, _block: Dim3(sizes[rows]),
        shared_bytes=lambda _sizes, block, item: block.x * item,
        block_valid=only_x,
    )


def plane_block(rows: int) -> Dim3:
    """16 × 16 threads, or one tall column where the grid would else pass its limit in y."""
    fits = blocks_for(rows, 16) <= MAX_GRID_YZ
    return Dim3(16, 16) if fits else Dim3(1, MAX_BLOCK)


def space_block(depth: int, rows: int) -> Dim3:
    """8 × 8 × 4 threads, or a taller block where the grid would else pass its limit in y or z."""
    if blocks_for(rows, 8) > MAX_GRID_YZ:
        return Dim3(1, MAX_BLOCK)
    if blocks_for(depth, 4) > MAX_GRID_YZ:
        return Dim3(1, MAX_BLOCK // MAX_BLOCK_Z, MAX_BLOCK_Z)
    return Dim3(8, 8, 4)


def only_x(block: Dim3) -> Message:
    """Say why a kernel that numbers its threads along x cannot take a block with more axes."""
    if block.y == 1 and block.z == 1:
        return NOTHING
    return _("This kernel indexes threads along x only, so y and z of the block must be 1.")


def default_launch(
    variant: Variant, sizes: Sizes, item_bytes: int, block: Dim3 | None = None
) -> Launch:
    """Launch of a variant by its rule, with its own block or a given one."""
    rule = variant.rule
    block = rule.block(sizes) if block is None else block
    return Launch(rule.grid(sizes, block), block, rule.shared_bytes(sizes, block, item_bytes))
