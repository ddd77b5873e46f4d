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
from threadloom.backends.cuda.stopwatch import (
    COLD_IN_BATCH,
    GATE_ATTEMPTS,
    MOST_IN_BATCH,
    Stopwatch,
)
from threadloom.model.samples import StopRule

RULE = StopRule(least=5, most=20, time_limit_s=10)
L2 = 60 << 20


class Queue:
    """Stands for a GPU's stream: what is queued takes its time on the queue's own clock."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.log: list[str] = []

    def work(self, name: str, seconds: float) -> None:
        self.log.append(name)
        self.now_s += seconds

    def synchronize(self) -> None:
        self.log.append("wait")


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


class Gate:
    """Opens by itself as often as it is told to."""

    def __init__(self, queue: Queue, too_slow: int = 0) -> None:
        self._queue = queue
        self._too_slow = too_slow
        self.holds = 0

    def hold(self, enqueue: Callable[[], None]) -> bool:
        self.holds += 1
        self._queue.log.append("gate")
        enqueue()
        return self.holds > self._too_slow


class NoRoomError(Exception):
    """The driver's memory error."""


class Bench:
    """A stopwatch with its queue."""

    def __init__(self, too_slow: int = 0, room: bool = True) -> None:
        self.queue = Queue()
        self.gate = Gate(self.queue, too_slow)
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
        self.watch = Stopwatch(cuda, self.queue, self.gate, L2)  # type: ignore[arg-type]

    def kernel(self, *seconds: float) -> Callable[[object], None]:
        times = itertools.cycle(seconds)
        return lambda _stream: self.queue.work("kernel", next(times))


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    clock = types.SimpleNamespace(perf_counter=lambda: next(ticks) * 1e-3)
    monkeypatch.setattr(stopwatch_module, "time", clock)


def test_warm_launches_follow_each_other_between_two_events_behind_the_gate() -> None:
    bench = Bench()
    samples = bench.watch.warm(bench.kernel(100e-6), RULE)
    assert samples.seconds == pytest.approx([100e-6] * 5)
    assert samples.rule_met
    assert not samples.cold
    assert bench.queue.log[-6:] == ["gate", "event", "kernel", "kernel", "kernel", "event"]


@pytest.mark.parametrize(
    ("seconds", "batch"), [(1e-6, MOST_IN_BATCH), (5e-6, 60), (1e-3, 1), (2.0, 1)]
)
def test_short_kernels_are_timed_in_batches(seconds: float, batch: int) -> None:
    bench = Bench()
    samples = bench.watch.warm(bench.kernel(seconds), StopRule(least=2, most=2))
    assert samples.median_s == pytest.approx(seconds)
    assert bench.queue.log.count("kernel") == 1 + 2 * batch


def test_before_each_cold_launch_the_cache_is_flushed_and_that_is_not_timed() -> None:
    bench = Bench()
    samples = bench.watch.cold(bench.kernel(10e-6), RULE, about_s=10e-6)
    assert samples is not None
    assert samples.cold
    assert samples.seconds == pytest.approx([10e-6] * COLD_IN_BATCH)
    assert bench.flushed == [2 * L2]
    assert bench.queue.log == [
        "gate",
        *["flush", "event", "kernel", "event"] * COLD_IN_BATCH,
        "free",
    ]


def test_long_cold_launches_are_queued_one_by_one() -> None:
    bench = Bench()
    bench.watch.cold(bench.kernel(5.0), StopRule(least=2, most=2, time_limit_s=10), about_s=5.0)
    assert bench.queue.log.count("gate") == 2


def test_without_room_to_flush_there_is_no_cold_time() -> None:
    bench = Bench(room=False)
    assert bench.watch.cold(bench.kernel(1e-3), RULE, about_s=1e-3) is None


def test_a_noisy_kernel_is_timed_to_the_most_and_says_so() -> None:
    bench = Bench()
    samples = bench.watch.warm(bench.kernel(1e-3, 3e-3), RULE)
    assert len(samples.seconds) == RULE.most
    assert not samples.rule_met


def test_a_gate_that_opened_by_itself_is_tried_again_a_few_times() -> None:
    once = Bench(too_slow=1)
    once.watch.warm(once.kernel(1e-3), StopRule(least=1, most=1))
    assert once.gate.holds == 3  # the first of them was in vain
    always = Bench(too_slow=10**9)
    always.watch.warm(always.kernel(1e-3), StopRule(least=1, most=1))
    assert always.gate.holds == 2 * GATE_ATTEMPTS


def test_copies_are_timed_one_by_one_and_waited_for() -> None:
    bench = Bench()
    samples = bench.watch.copies(lambda: bench.queue.work("copy", 1e-3), RULE)
    assert samples.seconds == pytest.approx([1e-3] * 5)
    assert bench.queue.log == ["event", "copy", "event", "wait"] * 5


def test_warming_up_waits_for_each_launch_and_ends() -> None:
    bench = Bench()
    bench.watch.warm_up(bench.kernel(1e-3))
    assert 1 <= bench.queue.log.count("kernel") < 100
    assert bench.queue.log[:2] == ["kernel", "wait"]
