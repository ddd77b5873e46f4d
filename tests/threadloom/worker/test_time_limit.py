# SPDX-License-Identifier: MIT
"""The rule of a time limit, with clocks that the test sets."""

from __future__ import annotations

import pytest

from threadloom.worker.processor_time import ProcessorTime
from threadloom.worker.time_limit import Clock, LimitWatch, TimeLimit


class Machine:
    """A wall clock, and a process with threads that compute when they are told to."""

    def __init__(self, cores: int = 4) -> None:
        self.now_s = 100.0
        self._cores = cores
        self._threads: dict[int, float] = {1: 5.0}
        self._total_s = 5.0

    def watch(self, limit: TimeLimit) -> LimitWatch:
        return LimitWatch(limit, self.read, lambda: self.now_s)

    def read(self) -> ProcessorTime:
        return ProcessorTime(self._total_s, dict(self._threads), self._cores)

    def pass_time(self, wall_s: float, *used_s: float) -> None:
        """Let time pass in which each thread used so much of a processor."""
        self.now_s += wall_s
        for thread, seconds in enumerate(used_s, start=1):
            self._threads[thread] = self._threads.get(thread, 0.0) + seconds
            self._total_s += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_a_limit_of_wall_clock_time_ends_with_its_grace_period(machine: Machine) -> None:
    limit = TimeLimit(10.0, grace_s=1.0)
    watch = machine.watch(limit)
    assert watch.next_check == 111.0
    machine.pass_time(10.9)
    assert watch.exceeded() is None
    machine.pass_time(0.2)
    assert watch.exceeded() == limit


@pytest.mark.parametrize("threads", [1, 4, 16])
def test_on_an_idle_machine_processor_time_passes_as_the_wall_clock(threads: int) -> None:
    machine, limit = Machine(cores=16), TimeLimit(10.0, Clock.PROCESSOR)
    watch = machine.watch(limit)
    machine.pass_time(9.9, *[9.9] * threads)
    assert watch.exceeded() is None
    machine.pass_time(0.11, *[0.11] * threads)
    assert watch.exceeded() == limit


def test_on_a_loaded_machine_the_wall_clock_may_run_on(machine: Machine) -> None:
    watch = machine.watch(TimeLimit(10.0, Clock.PROCESSOR))
    machine.pass_time(20.0, 4.0, 4.0)
    assert watch.exceeded() is None
    assert watch.next_check == 126.0  # no sooner can it be reached
    machine.pass_time(6.0, 6.0, 0.0)
    assert watch.exceeded() is not None


def test_threads_that_have_ended_count_by_processor(machine: Machine) -> None:
    watch = machine.watch(TimeLimit(10.0, Clock.PROCESSOR))
    machine.pass_time(12.0)
    machine._total_s += 38.0
    assert watch.exceeded() is None
    machine._total_s += 2.0
    machine.pass_time(0.6)
    assert watch.exceeded() is not None


@pytest.mark.parametrize(("limit_s", "wall_s"), [(1.0, 31.0), (10.0, 60.0)])
def test_what_waits_without_computing_ends_by_the_wall_clock(
    machine: Machine, limit_s: float, wall_s: float
) -> None:
    watch = machine.watch(TimeLimit(limit_s, Clock.PROCESSOR))
    machine.pass_time(wall_s - 0.5)
    assert watch.exceeded() is None
    machine.pass_time(0.5)
    exceeded = watch.exceeded()
    assert exceeded is not None
    assert (exceeded.seconds, exceeded.clock) == (wall_s, Clock.WALL)


def test_the_grace_period_is_not_part_of_the_limit_that_is_named(machine: Machine) -> None:
    watch = machine.watch(TimeLimit(10.0, Clock.PROCESSOR, grace_s=1.0))
    machine.pass_time(11.0, 10.9)
    assert watch.exceeded() is None
    machine.pass_time(0.2, 0.2)
    exceeded = watch.exceeded()
    assert exceeded is not None
    assert exceeded.seconds == 10.0
