# SPDX-License-Identifier: MIT
"""What stands between ``<<<`` and ``>>>``."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.dim3 import Dim3, ceil_div

WARP_SIZE = 32
"""Lanes of a warp on every NVIDIA GPU so far (CUDA C++ Programming Guide, "SIMT architecture")."""


@dataclass(frozen=True, slots=True)
class Launch:
    """Grid, block and dynamic shared memory of one launch."""

    grid: Dim3
    """Blocks along each axis."""
    block: Dim3
    """Threads of a block along each axis."""
    shared_bytes: int = 0
    """Dynamic shared memory of each block, in bytes."""

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return self.grid.count

    @property
    def threads_per_block(self) -> int:
        """Number of threads of one block."""
        return self.block.count

    @property
    def threads(self) -> int:
        """Number of threads in all."""
        return self.grid.count * self.block.count

    @property
    def warps_per_block(self) -> int:
        """Warps of one block; the last one may be partly empty."""
        return ceil_div(self.block.count, WARP_SIZE)


@dataclass(frozen=True, slots=True)
class ThreadId:
    """One thread of a launch."""

    block: Dim3
    """Its ``blockIdx``."""
    thread: Dim3
    """Its ``threadIdx``."""

    @classmethod
    def of_global(cls, launch: Launch, index: int) -> ThreadId:
        """The thread with this global number: block number times block size plus number in it."""
        block, thread = divmod(index, launch.threads_per_block)
        return cls(launch.grid.at(block), launch.block.at(thread))

    def global_index(self, launch: Launch) -> int:
        """Inverse of `of_global`."""
        inside = launch.block.linear(self.thread)
        return launch.grid.linear(self.block) * launch.threads_per_block + inside

    def warp_and_lane(self, launch: Launch) -> tuple[int, int]:
        """Number of its warp within the block, and its lane in it."""
        return divmod(launch.block.linear(self.thread), WARP_SIZE)
