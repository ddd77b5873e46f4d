# SPDX-License-Identifier: MIT
"""How many blocks an SM holds at once, and what holds that back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Limiter(StrEnum):
    """What keeps more blocks from an SM."""

    THREADS = "threads"
    BLOCKS = "blocks"
    REGISTERS = "registers"
    SHARED = "shared memory"
    NOTHING = "nothing runs"


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Blocks and warps of one SM for a launch."""

    blocks_per_sm: int
    warps_per_sm: int
    max_warps_per_sm: int
    limiter: Limiter

    @property
    def share(self) -> float:
        """Active warps over the most that fit, 0 to 1."""
        return self.warps_per_sm / self.max_warps_per_sm
