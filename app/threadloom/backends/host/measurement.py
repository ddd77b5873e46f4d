# SPDX-License-Identifier: MIT
"""Time a function on the CPU by a stopping criterion."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom.model.timing.stopping import SampleCollector

SAMPLE_S = 200e-6
"""A sample is the mean of as many calls as take about this long together: the resolution and cost
of the timer (some 50 ns) then do not show."""
MOST_IN_SAMPLE = 1_000_000


def measure(
    call: Callable[[], object],
    criterion: StoppingCriterion,
    repeat: Callable[[int], object] | None = None,
) -> Samples:
    """Time calls of a function, after one that is not counted.

    ``repeat``, if given, makes this many calls at less cost than Python's own loop. A function
    whose first call alone uses up the time limit is not called again: that call is the one sample.
    """
    resolution_s = time.get_clock_info("perf_counter").resolution
    first = _seconds(call)
    collector = SampleCollector(criterion)
    if first >= criterion.time_limit_s:
        collector.add(first)
        return replace(collector.samples(), timer_resolution_s=resolution_s)
    many = repeat or _repeated(call)
    count = _calls_in_sample(many)
    begin = time.perf_counter()
    while not collector.finished(time.perf_counter() - begin):
        collector.add(_seconds(lambda: many(count)) / count)
    return replace(collector.samples(), timer_resolution_s=resolution_s / count)


def _calls_in_sample(many: Callable[[int], object]) -> int:
    """Double the number of calls until they take long enough."""
    count = 1
    while count < MOST_IN_SAMPLE:
        taken = _seconds(lambda n=count: many(n))  # type: ignore[misc]
        if taken >= SAMPLE_S:
            break
        count *= max(2, min(16, int(SAMPLE_S / max(taken, 1e-7))))
    return min(count, MOST_IN_SAMPLE)


def _repeated(call: Callable[[], object]) -> Callable[[int], object]:
    def many(count: int) -> None:
        for _number in range(count):
            call()

    return many


def _seconds(call: Callable[[], object]) -> float:
    begin = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - begin) * 1e-9
