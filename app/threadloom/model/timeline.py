# SPDX-License-Identifier: MIT
"""When and where each block of a launch ran."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from threadloom.model.array import Array
from threadloom.model.provenance import Provenance


@dataclass(frozen=True, slots=True, eq=False)
class BlockTimeline:
    """One entry a block, by linear block number. Times are seconds from the launch's start.

    At a grid of more blocks than ``stride`` allows, every ``stride``-th block is held; block ``b``
    is then at ``b // stride``.
    """

    sm: Array
    """int32, number of the SM."""
    start_s: Array
    """float64."""
    end_s: Array
    """float64."""
    wave: Array
    """int32, wave from 0."""
    slots: int
    """Blocks that the device holds at once."""
    waves: int
    duration_s: float
    provenance: Provenance
    blocks: int
    """Blocks of the launch."""
    stride: int = 1
    resolution_s: float = 0.0
    """Step of the clock that a measured timeline was taken with; 0 if it is modelled."""
    kernel_s: float | None = None
    """Time of the recorded launch by events around it."""
    slowed: float | None = None
    """Share by which recording makes the kernel slower, None if it is modelled."""
    warp_start_s: Array | None = None
    """float64, one row a block and one column a warp, where each warp was recorded."""
    warp_end_s: Array | None = None
    """Like `warp_start_s`."""

    @property
    def most_resident(self) -> int:
        """Most blocks that ran on one SM at the same time; with a stride, of those held."""
        return int(max((int(held.max()) for _sm, _times, held in self._by_sm()), default=0))

    def busy_seconds(self) -> dict[int, float]:
        """By SM: time during which at least one block ran on it."""
        found: dict[int, float] = {}
        for sm, times, held in self._by_sm():
            found[sm] = float(np.diff(times)[held[:-1] > 0].sum())
        return found

    def _by_sm(self) -> list[tuple[int, Array, Array]]:
        """For each SM the times at which blocks start or end, and the blocks held from then on."""
        count = len(self.sm)
        sm = np.concatenate((self.sm, self.sm))
        times = np.concatenate((self.start_s, self.end_s))
        step = np.repeat(np.array([1, -1], dtype=np.int32), count)
        order = np.lexsort((step, times, sm))  # at equal times a block ends before the next starts
        numbers, begins = np.unique(sm[order], return_index=True)
        parts = np.split(order, begins[1:])
        return [
            (int(number), times[part], np.cumsum(step[part]))
            for number, part in zip(numbers, parts, strict=True)
        ]
