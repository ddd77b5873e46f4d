# SPDX-License-Identifier: MIT
"""The stopwatch's order of work and its rules, on a queue with a clock of its own.

That its figures are right is shown on a real GPU (``tests/gpu/timings.py``).
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable

import pytest

from threadloom.backends.cuda import stopwatch as stopwatch_module
from threadloom.backends.cuda import throttle_filter as throttle_filter_module
from threadloom.backends.cuda.gpu_state import GpuStateMonitor
from threadloom.backends.cuda.stopwatch import (
    BLOCKING_ATTEMPTS,
    LEAST_IN_BATCH,
    MOST_IN_BATCH,
    Stopwatch,
)
from threadloom.model.timing.gpu_state import GpuState
from threadloom.model.timing.samples import StoppingCriterion

CRITERION = StoppingCriterion(min_samples=6, max_samples=20, time_limit_s=10)
L2 = 60 << 20


class Queue:
    """Stands for a GPU's stream: what is queued takes its time on the queue's own clock."""

    handle = 1

    def __init__(self) -> None:
        self.now_s = 0.0
        self.log: list[str] = []
        self.captured: list[tuple[str, float]] | None = None

    def work(self, name: str, seconds: float) -> None:
        if self.captured is not None:
            self.captured.append((name, seconds))
            return
        self.log.append(name)
        self.now_s += seconds

    def synchronize(self) -> None:
        self.log.append("wait")


class Calls:
    """The driver's graph functions on the queue."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._graph: list[tuple[str, float]] = []

    def __call__(self, name: str, *_arguments: object) -> None:
        if name == "cuStreamBeginCapture_v2":
            self._queue.captured = []
        elif name == "cuStreamEndCapture":
            self._graph, self._queue.captured = self._queue.captured or [], None
        elif name == "cuGraphLaunch":
            self._queue.log.append("graph")
            for work in self._graph:
                self._queue.work(*work)


class Event:
    """Takes the queue's time when it is recorded."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self.at_s = 0.0

    def record(self, _stream: object = None) -> None:
        self._queue.log.append("event")
        self.at_s = self._queue.now_s

    def synchronize(self) -> None:
        self._queue.log.append("wait")

    def time_since(self, other: Event) -> float:
        return (self.at_s - other.at_s) * 1e3


class BlockingKernel:
    """Ends by itself this many times."""

    def __init__(self, queue: Queue, too_slow: int = 0) -> None:
        self._queue = queue
        self._too_slow = too_slow
        self.launches = 0

    def run_behind(self, enqueue: Callable[[], None]) -> bool:
        self.launches += 1
        self._queue.log.append("block")
        enqueue()
        return self.launches > self._too_slow


class NoRoomError(Exception):
    """The driver's memory error."""


class Bench:
    """A stopwatch with its queue."""

    def __init__(
        self, too_slow: int = 0, room: bool = True, read: Callable[[], GpuState] | None = None
    ) -> None:
        self.queue = Queue()
        self.blocking = BlockingKernel(self.queue, too_slow)
        self.flushed: list[int] = []

        def allocate(size: int) -> types.SimpleNamespace:
            if not room:
                raise NoRoomError
            self.flushed.append(size)
            return types.SimpleNamespace(free=lambda: self.queue.log.append("free"))

        cuda = types.SimpleNamespace(
            Event=lambda: Event(self.queue),
            mem_alloc=allocate,
            MemoryError=NoRoomError,
            memset_d32_async=lambda *_given: self.queue.work("flush", 50e-6),
        )
        self.watch = Stopwatch(
            cuda,
            self.queue,
            self.blocking,  # type: ignore[arg-type]
            L2,
            Calls(self.queue),  # type: ignore[arg-type]
            GpuStateMonitor(read),
        )

    def kernel(self, *seconds: float) -> Callable[[object], None]:
        times = itertools.cycle(seconds)
        return lambda _stream: self.queue.work("kernel", next(times))


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    clock = types.SimpleNamespace(perf_counter=lambda: next(ticks) * 1e-3)
    monkeypatch.setattr(stopwatch_module, "time", clock)
    monkeypatch.setattr(throttle_filter_module, "time", clock)


def test_warm_launches_are_a_graph_between_two_events_behind_the_blocking_kernel() -> None:
    bench = Bench()
    samples = bench.watch.warm(bench.kernel(100e-6), CRITERION)
    assert samples.seconds == pytest.approx([100e-6] * 6)
    assert samples.converged
    assert not samples.cold
    assert str(samples.method) == "mean of 4 launches in a replayed CUDA graph"
    assert bench.queue.log[-8:] == ["block", "event", "graph", *["kernel"] * 4, "event"]


def test_launches_in_a_stream_are_queued_one_by_one() -> None:
    bench = Bench()
    samples = bench.watch.in_stream(bench.kernel(100e-6), CRITERION)
    assert samples.seconds == pytest.approx([100e-6] * 6)
    assert str(samples.method) == "mean of 4 launches queued on a stream"
    assert bench.queue.log[-7:] == ["block", "event", *["kernel"] * 4, "event"]


@pytest.mark.parametrize(
    ("seconds", "batch"),
    [(1e-6, MOST_IN_BATCH), (5e-6, 60), (1e-3, LEAST_IN_BATCH), (2.0, 2), (6.0, 1)],
)
def test_short_kernels_are_timed_in_batches(seconds: float, batch: int) -> None:
    bench = Bench()
    samples = bench.watch.warm(
        bench.kernel(seconds), StoppingCriterion(min_samples=2, max_samples=2, time_limit_s=10)
    )
    assert samples.median_s == pytest.approx(seconds)
    assert bench.queue.log.count("kernel") == 1 + 3 * batch  # one to see, one replay not counted


def test_before_each_cold_launch_the_cache_is_flushed_and_that_is_not_timed() -> None:
    bench = Bench()
    samples = bench.watch.cold(bench.kernel(10e-6), CRITERION)
    assert samples is not None
    assert samples.cold
    assert samples.seconds == pytest.approx([10e-6] * 6)
    assert bench.flushed == [2 * L2]
    once = ["flush", "wait", "block", "event", "kernel", "event"]
    assert bench.queue.log == [*once * 6, "free"]


def throttled(*states: bool) -> Callable[[], GpuState]:
    """Readings of these states; the last one goes on."""
    left = list(states)

    def read() -> GpuState:
        state = left.pop(0) if len(left) > 1 else left[0]
        return GpuState(1980, 3201, 50, ("power cap",) if state else ())

    return read


def test_samples_of_a_throttled_gpu_are_discarded_and_counted() -> None:
    bench = Bench(read=throttled(False, True, False))
    samples = bench.watch.warm(bench.kernel(1e-3), CRITERION)
    # The first group ends throttled, the second began so.
    assert samples.dropped == 12
    assert len(samples.seconds) == 6
    assert samples.converged
    assert samples.gpu_states is not None
    assert samples.gpu_states.throttling == ("power cap",)
    assert samples.gpu_states.sm_clock_mhz == (1980, 1980)


def test_if_all_samples_are_of_a_throttled_gpu_they_are_kept_as_not_converged() -> None:
    bench = Bench(read=throttled(True))
    samples = bench.watch.warm(
        bench.kernel(1e-3), StoppingCriterion(min_samples=6, max_samples=20, time_limit_s=0.1)
    )
    assert samples.seconds
    assert samples.dropped == 0
    assert not samples.converged


def test_without_a_way_to_read_there_are_no_gpu_states() -> None:
    bench = Bench()
    assert bench.watch.warm(bench.kernel(1e-3), CRITERION).gpu_states is None


def test_without_room_to_flush_there_is_no_cold_time() -> None:
    bench = Bench(room=False)
    assert bench.watch.cold(bench.kernel(1e-3), CRITERION) is None


def test_a_noisy_kernel_is_timed_to_the_most_and_says_so() -> None:
    bench = Bench()
    samples = bench.watch.in_stream(bench.kernel(*[1e-3] * 5, *[3e-3] * 4), CRITERION)
    assert len(samples.seconds) == CRITERION.max_samples
    assert not samples.converged


def test_a_blocking_kernel_that_ended_by_itself_is_tried_again_a_few_times() -> None:
    once = Bench(too_slow=1)
    once.watch.in_stream(once.kernel(1e-3), StoppingCriterion(min_samples=1, max_samples=1))
    assert once.blocking.launches == 3  # the first of them was in vain
    always = Bench(too_slow=10**9)
    always.watch.in_stream(always.kernel(1e-3), StoppingCriterion(min_samples=1, max_samples=1))
    assert always.blocking.launches == 2 * BLOCKING_ATTEMPTS


def test_copies_are_timed_one_by_one_and_waited_for() -> None:
    bench = Bench()
    samples = bench.watch.copies(lambda: bench.queue.work("copy", 1e-3), CRITERION)
    assert samples.seconds == pytest.approx([1e-3] * 6)
    assert bench.queue.log == ["event", "copy", "event", "wait"] * 6


def test_warming_up_waits_for_each_launch_and_ends() -> None:
    bench = Bench()
    bench.watch.warm_up(bench.kernel(1e-3))
    assert 1 <= bench.queue.log.count("kernel") < 100
    assert bench.queue.log[:2] == ["kernel", "wait"]
