# SPDX-License-Identifier: MIT
"""A timeline arranged for drawing: bars in slots, or what every pixel shows."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from threadloom.model.array import Array
from threadloom.model.timeline import BlockTimeline

MOST_BARS = 50_000
"""Blocks up to which each is a bar; above, every pixel shows what most of its time holds."""
_MOST_SORTED = 500_000
"""Blocks that are looked at for curves and pixels; of more, every k-th stands for k."""


@dataclass(frozen=True)
class TimelineRows:
    """One timeline with what is worked out of it once."""

    timeline: BlockTimeline
    sms: int
    """SMs of the device."""

    @property
    def bars(self) -> bool:
        """Whether every block is drawn as a bar of its own."""
        return len(self.timeline.sm) <= MOST_BARS

    @property
    def slots_per_sm(self) -> int:
        """Blocks that one SM holds at once."""
        return max(1, -(-self.timeline.slots // max(self.sms, 1)))

    @cached_property
    def slot(self) -> Array:
        """int32, slot of each block on its SM: the first one that is free when it starts."""
        line = self.timeline
        slots = np.zeros(len(line.sm), dtype=np.int32)
        busy: dict[int, list[tuple[float, int]]] = {}
        free: dict[int, list[int]] = {}
        for block in np.lexsort((np.arange(len(line.sm)), line.start_s)):
            sm, start = int(line.sm[block]), float(line.start_s[block])
            running, waiting = busy.setdefault(sm, []), free.setdefault(sm, [])
            while running and running[0][0] <= start + 1e-12:
                heapq.heappush(waiting, heapq.heappop(running)[1])
            chosen = heapq.heappop(waiting) if waiting else len(running)
            slots[block] = chosen
            heapq.heappush(running, (float(line.end_s[block]), chosen))
        return slots

    @cached_property
    def rows_per_sm(self) -> int:
        """Rows that the bars of one SM take: its slots, or more if more ran there at once."""
        if not self.bars or not len(self.timeline.sm):
            return self.slots_per_sm
        return max(min(self.slots_per_sm, 1), int(self.slot.max()) + 1)

    def in_use(self, times: Array) -> Array:
        """Blocks that run at these times."""
        starts, ends, share = self._edges
        started = np.searchsorted(starts, times, side="right")
        ended = np.searchsorted(ends, times, side="right")
        return np.asarray((started - ended) * share)

    def pixels(self, first: int, last: int, columns: int) -> tuple[Array, Array]:
        """What columns of equal time show, for the SMs from ``first`` up to before ``last``.

        Returns:
            Wave (int64, -1 where nothing runs) and share of the slots in use (float64), both of
            shape (SMs, columns).
        """
        times = (np.arange(columns) + 0.5) / columns * self.timeline.duration_s
        wave = np.full((last - first, columns), -1, dtype=np.int64)
        share = np.zeros((last - first, columns))
        for row, sm in enumerate(range(first, last)):
            starts, ends, waves = self._of_sm(sm)
            started = np.searchsorted(starts, times, side="right")
            running = started - np.searchsorted(ends, times, side="right")
            busy = running > 0
            wave[row, busy] = waves[started[busy] - 1]
            share[row] = running * self._step / self.slots_per_sm
        return wave, np.clip(share, 0.0, 1.0)

    @property
    def _step(self) -> int:
        return max(1, -(-len(self.timeline.sm) // _MOST_SORTED)) * self.timeline.stride

    @cached_property
    def _edges(self) -> tuple[Array, Array, int]:
        step = self._step // self.timeline.stride
        line = self.timeline
        return np.sort(line.start_s[::step]), np.sort(line.end_s[::step]), self._step

    @cached_property
    def _sorted(self) -> tuple[Array, Array, Array, Array, Array]:
        """Sampled blocks by SM and start, with where each SM begins; ends are sorted apart."""
        step = self._step // self.timeline.stride
        line = self.timeline
        sm, start = line.sm[::step], line.start_s[::step]
        end, wave = line.end_s[::step], line.wave[::step]
        by_start, by_end = np.lexsort((start, sm)), np.lexsort((end, sm))
        begins = np.searchsorted(sm[by_start], np.arange(self.sms + 1))
        return sm, start[by_start], end[by_end], wave[by_start], begins

    def _of_sm(self, sm: int) -> tuple[Array, Array, Array]:
        _sm, starts, ends, waves, begins = self._sorted
        part = slice(int(begins[sm]), int(begins[sm + 1]))
        return starts[part], ends[part], waves[part]

    @cached_property
    def waves(self) -> tuple[tuple[float, int], ...]:
        """Start and blocks of each wave."""
        line = self.timeline
        counts = np.bincount(line.wave, minlength=1)
        first = np.full(len(counts), np.inf)
        np.minimum.at(first, line.wave, line.start_s)
        return tuple(
            (float(start), int(blocks) * line.stride)
            for start, blocks in zip(first, counts, strict=True)
            if blocks
        )

    @cached_property
    def tail(self) -> float | None:
        """When the last wave has the device to itself, if it leaves slots empty."""
        line, waves = self.timeline, self.waves
        if len(waves) < 2 or waves[-1][1] >= line.slots:
            return None
        earlier = line.wave < line.wave.max()
        begins = float(line.end_s[earlier].max())
        return begins if begins < line.duration_s else None
