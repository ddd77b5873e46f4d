# SPDX-License-Identifier: MIT
"""Runs a kernel that records its blocks, and reads what it recorded."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np

from threadloom.backends.cuda.library import Driver
from threadloom.backends.cuda.recorded_source import RECORDING
from threadloom.backends.cuda.stopwatch import Enqueue, Stopwatch
from threadloom.model.array import Array
from threadloom.model.launch import Launch
from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline

MOST_RECORDS = 1 << 20
"""Blocks (or warps) that are recorded at most; of more, every 2nd, 4th, 8th … block."""
ROUNDS = 9
"""Launches of each build that are compared, in turns, to tell what recording costs."""
ROUNDS_S = 0.3
"""After this time no more rounds are begun."""

_RECORD = np.dtype([("start", "<u8"), ("end", "<u8"), ("sm", "<u8")])
_CONSTANT = np.dtype([("records", "<u8"), ("shift", "<u4"), ("warps", "<u4")])


class Recording:
    """Room on the GPU for what one launch records. The GPU's context must be current."""

    def __init__(self, cuda: Driver, module: Any, launch: Launch, *, warps: bool) -> None:
        self._cuda = cuda
        self._launch = launch
        self.warps = launch.warps_per_block if warps else 1
        self.shift = stride_shift(launch.blocks, self.warps)
        self._entries = ((launch.blocks - 1) >> self.shift) + 1
        self._bytes = self._entries * self.warps * _RECORD.itemsize
        self._place = cuda.mem_alloc(self._bytes)
        constant = np.array([(int(self._place), self.shift, self.warps)], dtype=_CONSTANT)
        cuda.memcpy_htod(module.get_global(RECORDING)[0], constant)
        self.clear()

    def clear(self) -> None:
        """Forget what was recorded."""
        self._cuda.memset_d32(self._place, 0, self._bytes // 4)

    def records(self) -> Array:
        """Structured array, one row a block and one column a warp; waits for the GPU."""
        found = np.empty((self._entries, self.warps), dtype=_RECORD)
        self._cuda.memcpy_dtoh(found, self._place)
        return found


def stride_shift(blocks: int, warps: int) -> int:
    """Logarithm of the stride at which no more than `MOST_RECORDS` are recorded."""
    return max(0, (-(-blocks * warps // MOST_RECORDS) - 1).bit_length())


def slowdown(watch: Stopwatch, plain: Enqueue, recorded: Enqueue) -> float:
    """Share by which the recorded build is slower: medians of single launches, taken in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    begin = time.perf_counter()
    while not times[0] or (len(times[0]) < ROUNDS and time.perf_counter() - begin < ROUNDS_S):
        for taken, launch in zip(times, (plain, recorded), strict=True):
            taken.append(watch.once(launch))
    return median(times[1]) / median(times[0]) - 1


def measured_timeline(
    records: Array,
    launch: Launch,
    *,
    stride: int,
    sm_count: int,
    blocks_per_sm: int,
    kernel_s: float,
    slowed: float,
) -> BlockTimeline:
    """What the records say, in seconds from the first block's start.

    ``records`` has the fields ``start``, ``end`` (nanoseconds of the GPU's clock) and ``sm``, one
    row a block and one column a warp. Numbers of SMs beyond ``sm_count``, which the system may
    give, are counted anew from 0. A block's wave is its place in the order of starts, divided by
    the blocks that the device holds.
    """
    origin = records["start"].min()
    start = (records["start"] - origin).astype(np.float64) * 1e-9
    end = np.maximum(records["end"], records["start"])
    end = (end - origin).astype(np.float64) * 1e-9
    block_start, block_end = start.min(axis=1), end.max(axis=1)
    slots = sm_count * max(blocks_per_sm, 1)
    wave = _waves(block_start, stride, slots)
    return BlockTimeline(
        sm=_numbers(records["sm"][:, 0], sm_count),
        start_s=block_start,
        end_s=block_end,
        wave=wave,
        slots=slots,
        waves=-(-launch.blocks // slots),
        duration_s=float(block_end.max()),
        provenance=Provenance.MEASURED,
        blocks=launch.blocks,
        stride=stride,
        resolution_s=_resolution(records),
        kernel_s=kernel_s,
        slowed=slowed,
        warp_start_s=start if records.shape[1] > 1 else None,
        warp_end_s=end if records.shape[1] > 1 else None,
    )


def _waves(start: Array, stride: int, slots: int) -> Array:
    order = np.argsort(start, kind="stable")
    wave = np.empty(len(start), dtype=np.int32)
    wave[order] = np.arange(len(start), dtype=np.int64) * stride // slots
    return wave


def _numbers(sm: Array, sm_count: int) -> Array:
    if sm.max() < sm_count:
        return sm.astype(np.int32)
    return np.unique(sm, return_inverse=True)[1].astype(np.int32)


def _resolution(records: Array) -> float:
    """Step of the GPU's clock, in seconds: what all of the times are a multiple of."""
    times = np.unique(np.concatenate((records["start"].ravel(), records["end"].ravel())))
    steps = np.diff(times[-1000:])
    return float(np.gcd.reduce(steps)) * 1e-9 if len(steps) else 0.0
