# SPDX-License-Identifier: MIT
"""When and where each block of a launch ran."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from threadloom.model.array import Array
from threadloom.model.provenance import Provenance


@dataclass(frozen=True, eq=False)
class BlockTimeline:
    """One entry a block, by linear block number. Times are seconds from the launch's start.

    It has no slots, so that what is counted over all blocks is counted once.

    With a ``stride`` above 1, one block of each ``stride`` in a row is held, so that block ``b`` or
    one beside it is at ``b // stride``.

    A block counts from its first warp's start to its last warp's end. So more blocks may be seen at
    once on an SM than its occupancy says, where the warps of a block end apart: when a block ends,
    the SM gives to new ones the places of all warps that have ended, of whatever block (seen on an
    H200 by the numbers of the places). What an SM never exceeds is its warps, see
    `most_warps_resident`.
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
    """Step of the clock that a measured timeline was taken with; 0 if it is modeled."""
    kernel_s: float | None = None
    """Time of the recorded launch by events around it."""
    slowed: float | None = None
    """Share by which recording makes the kernel slower, None if it is modeled."""
    warp_start_s: Array | None = None
    """float64, one row a block and one column a warp, where each warp was recorded."""
    warp_end_s: Array | None = None
    """Like `warp_start_s`."""

    @cached_property
    def most_resident(self) -> int:
        """Most blocks that ran on one SM at the same time; with a stride, of those held."""
        return int(max((int(held.max()) for _sm, _times, held in self._by_sm()), default=0))

    def count_ahead(self) -> None:
        """Work out `most_resident` now; it goes along to another process, which need not wait."""
        _counted = self.most_resident

    @property
    def most_warps_resident(self) -> int | None:
        """Most warps that ran on one SM at the same time; None if warps were not recorded."""
        if self.warp_start_s is None or self.warp_end_s is None:
            return None
        sm = np.repeat(self.sm, self.warp_start_s.shape[1])
        steps = _steps_by_sm(sm, self.warp_start_s.ravel(), self.warp_end_s.ravel())
        return int(max((int(held.max()) for _sm, _times, held in steps), default=0))

    def busy_seconds(self) -> dict[int, float]:
        """By SM: time during which at least one block ran on it."""
        found: dict[int, float] = {}
        for sm, times, held in self._by_sm():
            found[sm] = float(np.diff(times)[held[:-1] > 0].sum())
        return found

    def _by_sm(self) -> list[tuple[int, Array, Array]]:
        return _steps_by_sm(self.sm, self.start_s, self.end_s)


def _steps_by_sm(sms: Array, starts: Array, ends: Array) -> list[tuple[int, Array, Array]]:
    """For each SM the times at which something starts or ends, and how many run from then on."""
    sm = np.concatenate((sms, sms))
    times = np.concatenate((starts, ends))
    step = np.repeat(np.array([1, -1], dtype=np.int32), len(sms))
    order = np.lexsort((step, times, sm))  # at equal times one ends before the next starts
    numbers, begins = np.unique(sm[order], return_index=True)
    parts = np.split(order, begins[1:])
    return [
        (int(number), times[part], np.cumsum(step[part]))
        for number, part in zip(numbers, parts, strict=True)
    ]
