# SPDX-License-Identifier: MIT
"""Which launches of a sweep are marked in its figure."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.dim3 import Dim3
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked beside the fastest."""

    chosen: LaunchChoice | None = None
    """What the knobs stand at."""
    cursor: LaunchChoice | None = None
    """Where the pointer or the keyboard is."""

    def is_chosen(self, point: LaunchPoint) -> bool:
        """Whether the knobs stand at this launch."""
        if self.chosen is None or self.chosen.variant != point.choice.variant:
            return False
        return self.chosen.block is None or self.chosen.block == block_of(point)


def block_of(point: LaunchPoint) -> Dim3 | None:
    """The block that was launched, or that could not be."""
    return point.launch.block if point.launch is not None else point.choice.block
