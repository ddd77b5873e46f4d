# SPDX-License-Identifier: MIT
"""Takes samples until the criterion is met and discards those of a throttled GPU."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from threadloom.backends.cuda.gpu_state import GpuStateMonitor
from threadloom.model.message import Message
from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom.model.timing.stopping import SampleCollector

READ_EVERY_S = 0.02
"""The GPU's state is read after this time, and wherever the criterion is checked."""


def collect_unthrottled(
    sample: Callable[[], float],
    criterion: StoppingCriterion,
    monitor: GpuStateMonitor,
    method: Message,
) -> Samples:
    """Call ``sample`` for one sample after the other.

    Samples wait until the GPU's state is read; if it is throttled before or after, they are
    discarded and counted. If none is left in the end, the discarded ones are returned as not
    converged, and the GPU's states say why.
    """
    taken, discarded = SampleCollector(criterion), SampleCollector(criterion)
    begin = time.perf_counter()
    throttled = monitor.begin()
    while not _finished(taken, discarded, criterion, time.perf_counter() - begin):
        group = _group(sample, criterion, taken.until_check, begin)
        before, throttled = throttled, monitor.is_throttled()
        for seconds in group:
            (discarded if before or throttled else taken).add(seconds)
    kept = taken if taken.seconds else discarded
    return replace(
        kept.samples(),
        converged=taken.converged,
        method=method,
        dropped=len(discarded.seconds) if kept is taken else 0,
        gpu_states=monitor.states(),
    )


def _finished(
    taken: SampleCollector,
    discarded: SampleCollector,
    criterion: StoppingCriterion,
    elapsed_s: float,
) -> bool:
    if taken.seconds or not discarded.seconds:
        return taken.finished(elapsed_s)
    return elapsed_s >= criterion.time_limit_s


def _group(
    sample: Callable[[], float], criterion: StoppingCriterion, count: int, begin: float
) -> list[float]:
    """Samples up to the next check: at least one, fewer where time runs out."""
    found: list[float] = []
    now = group_begin = time.perf_counter()
    while not found or (
        len(found) < count
        and now - group_begin < READ_EVERY_S
        and now - begin < criterion.time_limit_s
    ):
        found.append(sample())
        now = time.perf_counter()
    return found
