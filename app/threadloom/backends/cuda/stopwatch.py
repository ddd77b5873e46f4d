# SPDX-License-Identifier: MIT
"""Times of a kernel and of copies on the GPU, by the rule."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from threadloom.backends.cuda.gate import Gate
from threadloom.backends.cuda.library import Driver
from threadloom.model.device import DeviceModel
from threadloom.model.samples import Samples, StopRule
from threadloom.model.stopping import Stopping

WARM_UP_S = 0.02
"""The kernel runs this long before anything is timed, so that the clocks have risen."""
BATCH_S = 300e-6
"""A warm sample is the mean of so many launches as take about this long together …"""
MOST_IN_BATCH = 200
"""… but never more: the driver's queue holds about a thousand."""
COLD_IN_BATCH = 16
"""Cold samples queued behind one gate."""
FLUSH_FACTOR = 2
"""The buffer that flushes the L2 cache is this many times its size."""
LEAST_FLUSH_BYTES = 32 << 20
GATE_ATTEMPTS = 3
"""After as many times of a host too slow for the gate, the gap it leaves is put up with."""

Enqueue = Callable[[Any], None]
"""Queues one launch on the stream that it is given."""


class Stopwatch:
    """Times work on one GPU. Its context must be current.

    * *warm*: launches one after the other behind a gate, two events around all of them.
    * *cold*: before each launch a buffer larger than the L2 cache is overwritten, which is not
      timed; two events around each launch, all behind a gate.
    * *copies*: ordinary memory, two events around the copies of one direction.
    """

    def __init__(self, cuda: Driver, stream: Any, gate: Gate, l2_bytes: int) -> None:
        self._cuda = cuda
        self._stream = stream
        self._gate = gate
        self._flush_bytes = max(FLUSH_FACTOR * l2_bytes, LEAST_FLUSH_BYTES)

    @classmethod
    def of(cls, cuda: Driver, device: DeviceModel) -> Stopwatch:
        """One with a stream and a gate of its own."""
        stream = cuda.Stream()
        return cls(cuda, stream, Gate(cuda, stream, device.architecture), device.l2_bytes)

    def warm(self, launch: Enqueue, rule: StopRule) -> Samples:
        """Time back-to-back launches; ``launch`` queues one on the stream that it is given."""
        batch = self._batch(launch)
        return self._collect(lambda: [self._span(launch, batch) / batch], rule)

    def cold(self, launch: Enqueue, rule: StopRule, about_s: float) -> Samples | None:
        """Time launches that find nothing in the caches; None if the flushing buffer has no room.

        ``about_s`` is what one launch takes, so that the rule's time limit can be kept.
        """
        try:
            buffer = self._cuda.mem_alloc(self._flush_bytes)
        except self._cuda.MemoryError:
            return None
        fitting = int(rule.time_limit_s / 4 / max(about_s, 1e-9))
        count = max(1, min(COLD_IN_BATCH, fitting))
        samples = self._collect(lambda: self._cold_spans(launch, buffer, count), rule, cold=True)
        buffer.free()
        return samples

    def copies(self, copy: Callable[[], None], rule: StopRule) -> Samples:
        """Time copies that the host waits for, made on the default stream."""
        return self._collect(lambda: [self._copy_span(copy)], rule)

    def warm_up(self, launch: Enqueue) -> None:
        """Run for a while, so that clocks rise and lazy loading is over."""
        begin = time.perf_counter()
        while time.perf_counter() - begin < WARM_UP_S:
            launch(self._stream)
            self._stream.synchronize()

    def _batch(self, launch: Enqueue) -> int:
        one = self._span(launch, 1)
        return max(1, min(MOST_IN_BATCH, round(BATCH_S / max(one, 1e-7))))

    def _span(self, launch: Enqueue, count: int) -> float:
        """Seconds from the first event to the second, with so many launches between."""
        first, last = self._cuda.Event(), self._cuda.Event()

        def enqueue() -> None:
            first.record(self._stream)
            for _number in range(count):
                launch(self._stream)
            last.record(self._stream)

        self._behind_gate(enqueue)
        return _seconds(first, last)

    def _cold_spans(self, launch: Enqueue, buffer: Any, count: int) -> list[float]:
        events = [(self._cuda.Event(), self._cuda.Event()) for _number in range(count)]

        def enqueue() -> None:
            for first, last in events:
                self._cuda.memset_d32_async(buffer, 0, self._flush_bytes // 4, self._stream)
                first.record(self._stream)
                launch(self._stream)
                last.record(self._stream)

        self._behind_gate(enqueue)
        return [_seconds(first, last) for first, last in events]

    def _behind_gate(self, enqueue: Callable[[], None]) -> None:
        """Queue behind the gate; again, if the host was held up until the gate opened by itself."""
        for _attempt in range(GATE_ATTEMPTS):
            if self._gate.hold(enqueue):
                return

    def _copy_span(self, copy: Callable[[], None]) -> float:
        first, last = self._cuda.Event(), self._cuda.Event()
        first.record()
        copy()
        last.record()
        last.synchronize()
        return _seconds(first, last)

    def _collect(
        self, sample: Callable[[], list[float]], rule: StopRule, *, cold: bool = False
    ) -> Samples:
        stopping = Stopping(rule)
        begin = time.perf_counter()
        while not stopping.finished(time.perf_counter() - begin):
            for seconds in sample()[: rule.most - len(stopping.seconds)]:
                stopping.add(seconds)
        return stopping.samples(cold=cold)


def _seconds(first: Any, last: Any) -> float:
    return float(last.time_since(first)) * 1e-3
