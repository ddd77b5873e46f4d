# SPDX-License-Identifier: MIT
"""What all GPUs of one compute capability have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True, slots=True)
class Capability:
    """Limits and units of one compute capability.

    Source: CUDA Programming Guide 13.0, appendix "Compute Capabilities" (tables "Technical
    Specifications" and "Arithmetic Instructions"); allocation unit of shared memory from the
    ``cuda_occupancy.h`` of the same toolkit.
    """

    max_threads_per_sm: int
    max_blocks_per_sm: int
    shared_per_sm: int
    """In bytes."""
    shared_per_block_optin: int
    """In bytes."""
    shared_reserved_per_block: int
    """In bytes."""
    shared_unit: int
    """Shared memory is handed out in multiples of this, in bytes."""
    fp32_lanes_per_sm: int
    fp64_lanes_per_sm: int
    max_threads_per_block: int = 1024
    max_block_xy: int = 1024
    max_block_z: int = 64
    max_grid_x: int = 2**31 - 1
    max_grid_yz: int = 65_535
    shared_per_block: int = 48 * KIB
    """Without asking for more, in bytes."""
    registers_per_sm: int = 65_536
    registers_per_block: int = 65_536
    max_registers_per_thread: int = 255
    register_unit: int = 256
    """Registers are handed out to warps in multiples of this."""
    sub_partitions: int = 4
    """Parts of an SM, each with its own scheduler and its share of the registers."""

    @property
    def fp64_ratio(self) -> float:
        """Double-precision rate as a share of the single-precision rate."""
        return self.fp64_lanes_per_sm / self.fp32_lanes_per_sm


CAPABILITIES: Mapping[tuple[int, int], Capability] = {
    #                  threads blocks  shared/SM  opt-in    reserved unit fp32 fp64
    (7, 5): Capability(1024, 16, 64 * KIB, 64 * KIB, 0, 256, 64, 2),
    (8, 0): Capability(2048, 32, 164 * KIB, 163 * KIB, KIB, 128, 64, 32),
    (8, 6): Capability(1536, 16, 100 * KIB, 99 * KIB, KIB, 128, 128, 2),
    (8, 7): Capability(1536, 16, 164 * KIB, 163 * KIB, KIB, 128, 128, 2),
    (8, 9): Capability(1536, 24, 100 * KIB, 99 * KIB, KIB, 128, 128, 2),
    (9, 0): Capability(2048, 32, 228 * KIB, 227 * KIB, KIB, 128, 128, 64),
    (10, 0): Capability(2048, 32, 228 * KIB, 227 * KIB, KIB, 128, 128, 64),
    (10, 3): Capability(2048, 32, 228 * KIB, 227 * KIB, KIB, 128, 128, 2),
    (11, 0): Capability(1536, 24, 228 * KIB, 227 * KIB, KIB, 128, 128, 2),
    (12, 0): Capability(1536, 24, 100 * KIB, 99 * KIB, KIB, 128, 128, 2),
    (12, 1): Capability(1536, 24, 100 * KIB, 99 * KIB, KIB, 128, 128, 2),
}
"""By major and minor number, from the oldest that nvcc 13 compiles for."""


def capability(version: tuple[int, int]) -> Capability:
    """The row of a compute capability; the closest older one where the table has none.

    A version older than the whole table gets its first row.
    """
    known = [row for row in CAPABILITIES if row <= version]
    return CAPABILITIES[max(known) if known else min(CAPABILITIES)]
