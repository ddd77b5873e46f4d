# SPDX-License-Identifier: MIT
"""Times of a kernel and of copies on the GPU, by a stopping criterion."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from threadloom.backends.cuda.blocking_kernel import BlockingKernel
from threadloom.backends.cuda.driver_calls import DriverCalls
from threadloom.backends.cuda.gpu_state import GpuStateMonitor
from threadloom.backends.cuda.graph import launch_graph
from threadloom.backends.cuda.library import Driver
from threadloom.backends.cuda.nvml import gpu_state_reader
from threadloom.backends.cuda.throttle_filter import collect_unthrottled
from threadloom.model.device import DeviceModel
from threadloom.model.message import NOTHING, Message, _, ngettext
from threadloom.model.timing.samples import Samples, StoppingCriterion

WARM_UP_S = 0.02
"""The kernel runs this long before anything is timed, so that the clocks have risen."""
BATCH_S = 300e-6
"""A warm sample is the mean of so many launches as take about this long together …"""
MOST_IN_BATCH = 200
"""… but never more: the driver's queue holds about a thousand."""
LEAST_IN_BATCH = 4
"""… and not fewer, unless the time limit leaves no room: what lies between the events and
the first and last launch then shows less."""
FLUSH_FACTOR = 2
"""The buffer that flushes the L2 cache is this many times its size."""
LEAST_FLUSH_BYTES = 32 << 20
EVENT_RESOLUTION_S = 0.5e-6
"""Resolution of the time between two events (CUDA Runtime API, ``cudaEventElapsedTime``)."""
BLOCKING_ATTEMPTS = 3
"""After this many launches for which the host was too slow, the gap it leaves is accepted."""

Enqueue = Callable[[Any], None]
"""Queues one launch on the stream that it is given."""


class Stopwatch:
    """Times work on one GPU. Its context must be current.

    * *warm*: a CUDA graph of launches one after the other, replayed behind a blocking kernel
      between two events. The GPU goes from one launch to the next by itself: in a stream, each
      launch costs 0.8 µs more on an H200, however far ahead the host is.
    * *in a stream*: the same launches queued one by one behind the blocking kernel.
    * *cold*: a buffer larger than the L2 cache is overwritten and waited for; then one launch
      between two events behind the blocking kernel. This is what nvbench calls a cold
      measurement.
    * *copies*: pageable memory, two events around the copies of one direction.
    """

    def __init__(
        self,
        cuda: Driver,
        stream: Any,
        blocking: BlockingKernel,
        l2_bytes: int,
        calls: DriverCalls,
        monitor: GpuStateMonitor,
    ) -> None:
        self._cuda = cuda
        self._stream = stream
        self._blocking = blocking
        self._calls = calls
        self._monitor = monitor
        self._flush_bytes = max(FLUSH_FACTOR * l2_bytes, LEAST_FLUSH_BYTES)

    @classmethod
    def of(cls, cuda: Driver, device: DeviceModel) -> Stopwatch:
        """One with its own stream and blocking kernel."""
        stream = cuda.Stream()
        blocking = BlockingKernel(cuda, stream, device.architecture)
        monitor = GpuStateMonitor(gpu_state_reader(cuda.Device(device.index or 0).pci_bus_id()))
        calls = DriverCalls.of_this_machine()
        return cls(cuda, stream, blocking, device.l2_bytes, calls, monitor)

    def warm(self, launch: Enqueue, criterion: StoppingCriterion) -> Samples:
        """Time back-to-back launches; ``launch`` queues one on the stream that it is given."""
        batch = self._batch(launch, criterion)
        with launch_graph(self._calls, self._stream, launch, batch) as graph:
            graph.replay(self._stream)
            self._stream.synchronize()
            text = ngettext(
                "mean of {count} launch in a replayed CUDA graph",
                "mean of {count} launches in a replayed CUDA graph",
                batch,
            )
            samples = self._collect(
                lambda: self._span(graph.replay, 1) / batch, criterion, text.format(count=batch)
            )
            return replace(samples, timer_resolution_s=EVENT_RESOLUTION_S / batch)

    def in_stream(self, launch: Enqueue, criterion: StoppingCriterion) -> Samples:
        """Time launches that are queued one by one on a stream, far ahead of the GPU."""
        batch = self._batch(launch, criterion)
        text = ngettext(
            "mean of {count} launch queued on a stream",
            "mean of {count} launches queued on a stream",
            batch,
        )
        samples = self._collect(
            lambda: self._span(launch, batch) / batch, criterion, text.format(count=batch)
        )
        return replace(samples, timer_resolution_s=EVENT_RESOLUTION_S / batch)

    def cold(self, launch: Enqueue, criterion: StoppingCriterion) -> Samples | None:
        """Time launches that find nothing in the caches; None without room to flush."""
        try:
            buffer = self._cuda.mem_alloc(self._flush_bytes)
        except self._cuda.MemoryError:
            return None

        def sample() -> float:
            self._cuda.memset_d32_async(buffer, 0, self._flush_bytes // 4, self._stream)
            self._stream.synchronize()
            return self._span(launch, 1)

        samples = self._collect(
            sample, criterion, _("one launch after the L2 cache was overwritten")
        )
        buffer.free()
        return replace(samples, cold=True, timer_resolution_s=EVENT_RESOLUTION_S)

    def once(self, launch: Enqueue) -> float:
        """Seconds of one launch between two events behind the blocking kernel."""
        return self._span(launch, 1)

    def copies(
        self, copy: Callable[[], None], criterion: StoppingCriterion, method: Message = NOTHING
    ) -> Samples:
        """Time copies that the host waits for, made on the default stream."""
        samples = self._collect(lambda: self._copy_span(copy), criterion, method)
        return replace(samples, timer_resolution_s=EVENT_RESOLUTION_S)

    def queued(
        self, stream: Any, queue: Callable[[], None], criterion: StoppingCriterion, method: Message
    ) -> Samples:
        """Time what ``queue`` queues on a stream, by two events on it."""

        def sample() -> float:
            first, last = self._cuda.Event(), self._cuda.Event()
            first.record(stream)
            queue()
            last.record(stream)
            last.synchronize()
            return _seconds(first, last)

        return self._collect(sample, criterion, method)

    def by_host_clock(
        self,
        call: Callable[[], None],
        criterion: StoppingCriterion,
        method: Message,
        divide_by: int = 1,
    ) -> Samples:
        """Time what the host waits for, after one call that is not counted."""

        def sample() -> float:
            begin = time.perf_counter()
            call()
            return (time.perf_counter() - begin) / divide_by

        sample()
        return self._collect(sample, criterion, method)

    def warm_up(self, launch: Enqueue) -> None:
        """Run for a while, so that clocks rise and lazy loading is over."""
        begin = time.perf_counter()
        while time.perf_counter() - begin < WARM_UP_S:
            launch(self._stream)
            self._stream.synchronize()

    def _batch(self, launch: Enqueue, criterion: StoppingCriterion) -> int:
        one = max(self._span(launch, 1), 1e-7)
        fitting = int(criterion.time_limit_s / max(criterion.min_samples, 1) / one)
        wanted = min(MOST_IN_BATCH, max(LEAST_IN_BATCH, round(BATCH_S / one)))
        return max(1, min(wanted, fitting))

    def _span(self, launch: Enqueue, count: int) -> float:
        """Seconds from the first event to the second, with so many launches between."""
        first, last = self._cuda.Event(), self._cuda.Event()

        def enqueue() -> None:
            first.record(self._stream)
            for _number in range(count):
                launch(self._stream)
            last.record(self._stream)

        self._behind_blocking_kernel(enqueue)
        return _seconds(first, last)

    def _behind_blocking_kernel(self, enqueue: Callable[[], None]) -> None:
        """Queue behind the kernel; again, if the host was so late that it ended by itself."""
        for _attempt in range(BLOCKING_ATTEMPTS):
            if self._blocking.run_behind(enqueue):
                return

    def _copy_span(self, copy: Callable[[], None]) -> float:
        first, last = self._cuda.Event(), self._cuda.Event()
        first.record()
        copy()
        last.record()
        last.synchronize()
        return _seconds(first, last)

    def _collect(
        self, sample: Callable[[], float], criterion: StoppingCriterion, method: Message
    ) -> Samples:
        return collect_unthrottled(sample, criterion, self._monitor, method)


def _seconds(first: Any, last: Any) -> float:
    return float(last.time_since(first)) * 1e-3
