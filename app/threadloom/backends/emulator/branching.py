# SPDX-License-Identifier: MIT
"""How often lanes of a warp took different ways, by branch of the source."""

from __future__ import annotations

from threadloom.backends.emulator.launching import Call
from threadloom.model.trace import Branch


def branches_of(call: Call) -> tuple[Branch, ...]:
    """Branches that a warp came to, those of one place together."""
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    counters = call.request.branches[: call.request.branch_count]
    for place, seen in zip(call.binary.flow.branches, counters, strict=True):
        executed, diverged = sums.get((place.line, place.column), (0, 0))
        sums[place.line, place.column] = executed + seen.executed, diverged + seen.parted
    return tuple(
        Branch(line, column or None, *sums[line, column])
        for line, column in sorted(sums)
        if sums[line, column][0]
    )
