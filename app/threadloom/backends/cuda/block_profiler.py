# SPDX-License-Identifier: MIT
"""Runs a kernel that records its blocks, and reads what it recorded."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from threadloom.backends.base import CompileError
from threadloom.backends.cuda.instrumented_source import RECORDING, Clock, chosen
from threadloom.backends.cuda.library import Driver
from threadloom.backends.cuda.stopwatch import Enqueue, Stopwatch
from threadloom.model.array import Array
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.model.program import Diagnostic
from threadloom.model.provenance import Provenance
from threadloom.model.severity import Severity
from threadloom.model.timeline import BlockTimeline

MOST_RECORDS = 1 << 21
"""Warps that are recorded at most; of more, one block of each 2, 4, 8 …"""
MOST_SLOWED = 0.08
"""While recording slows a kernel by more than this share, fewer blocks are recorded …"""
FEWEST_WAVES = 8
"""… but never fewer than so many for each place that the device has for blocks."""
ROUNDS = 9
"""Launches of each build that are compared, in turns, to tell what recording costs."""
ROUNDS_S = 0.3
"""After this time no more rounds are begun."""
LONG_S = 1.0
"""Kernels that take longer get the wide clock."""

_RECORD = np.dtype([("start", "<u8"), ("end", "<u8"), ("sm", "<u8")])
_CONSTANT = np.dtype(
    [("times", "<u8"), ("sms", "<u8"), ("shift", "<u4"), ("warps", "<u4"), ("odd", "<u4")]
)
_NO_GROUP = 2**32 - 1


class Recording:
    """Room on the GPU for what one launch records. The GPU's context must be current."""

    def __init__(self, cuda: Driver, module: Any, launch: Launch, clock: Clock) -> None:
        self._cuda = cuda
        self._launch = launch
        self._word = clock.word_bytes
        self._constant = module.get_global(RECORDING)[0]
        self.shift = stride_shift(launch.blocks, launch.warps_per_block)
        entries = self.entries
        self._times = cuda.mem_alloc(entries * launch.warps_per_block * 2 * self._word)
        self._sms = cuda.mem_alloc(entries * 4)
        self.sample(self.shift)

    @property
    def entries(self) -> int:
        """Blocks that are recorded."""
        return ((self._launch.blocks - 1) >> self.shift) + 1

    def sample(self, shift: int) -> None:
        """From now on record one block of each 2 to the power of ``shift``, forgetting all."""
        self.shift = shift
        last = self.entries - 1
        beyond = (last << shift) + chosen(last, shift) >= self._launch.blocks
        warps = self._launch.warps_per_block
        row = (int(self._times), int(self._sms), shift, warps, last if beyond else _NO_GROUP)
        self._cuda.memcpy_htod(self._constant, np.array([row], dtype=_CONSTANT))
        self.clear()

    def clear(self) -> None:
        """Forget what was recorded."""
        words = self.entries * self._launch.warps_per_block * 2 * self._word // 4
        self._cuda.memset_d32(self._times, 0, words)

    def records(self) -> Array:
        """Structured array, one row a block and one column a warp; waits for the GPU.

        Raises:
            CompileError: If threads left the kernel past the recording.
        """
        warps = self._launch.warps_per_block
        times = np.empty((self.entries, warps, 2), dtype=f"<u{self._word}")
        sms = np.empty(self.entries, dtype="<u4")
        self._cuda.memcpy_dtoh(times, self._times)
        self._cuda.memcpy_dtoh(sms, self._sms)
        return joined(times, sms)


def joined(times: Array, sms: Array) -> Array:
    """Records of times that may have passed the end of their 32 bits, and of the blocks' SMs.

    Raises:
        CompileError: If a place was never written.
    """
    if not times.any(axis=2).all():
        text = _("Some threads exit the kernel in a way that cannot be recorded.")
        raise CompileError((Diagnostic(Severity.WARNING, text),))
    if times.dtype.itemsize == 4:
        after = (times - times[0, 0, 0]).astype(np.int32)  # a launch takes less than half the range
        times = (after.astype(np.int64) + 2**32).astype(np.uint64)
    found = np.empty(times.shape[:2], dtype=_RECORD)
    found["start"], found["end"] = times[..., 0], times[..., 1]
    found["sm"] = sms[:, np.newaxis]
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


def thin_out(recording: Recording, slots: int, slowed: Callable[[], float]) -> float:
    """Record fewer blocks until that slows the kernel little enough; what it slows in the end."""
    found = slowed()
    while found > MOST_SLOWED and recording.entries // 2 >= FEWEST_WAVES * max(slots, 1):
        recording.sample(recording.shift + 1)
        found = slowed()
    return found


def measured_timeline(
    records: Array,
    launch: Launch,
    *,
    stride: int,
    sm_count: int,
    blocks_per_sm: int,
    kernel_s: float,
    slowed: float,
    warps: bool = True,
) -> BlockTimeline:
    """What the records say, in seconds from the first block's start.

    ``records`` has the fields ``start``, ``end`` (nanoseconds of the GPU's clock) and ``sm``, one
    row a block and one column a warp; ``warps`` keeps the warps' own times. Numbers of SMs beyond
    ``sm_count``, which the system may give, are counted anew from 0. A block's wave is its place in
    the order of starts, divided by the blocks that the device holds.
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
        warp_start_s=start if warps else None,
        warp_end_s=end if warps else None,
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
