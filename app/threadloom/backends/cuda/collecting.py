# SPDX-License-Identifier: MIT
"""Takes samples until the rule is content, without those of a GPU that holds its clocks down."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from threadloom.backends.cuda.condition import ConditionWatch
from threadloom.model.timing.samples import Samples, StopRule
from threadloom.model.timing.stopping import Stopping

LOOK_EVERY_S = 0.02
"""The GPU's state is read after this time, and after as many samples as the rule needs at least."""


def collect(
    sample: Callable[[], float], rule: StopRule, watch: ConditionWatch, method: str
) -> Samples:
    """Call ``sample`` for one sample after the other.

    Samples wait until the GPU's state is read; if its clocks are held down before or after, they
    are dropped and counted. If none is left in the end, the dropped ones are given, the rule
    counts as not met, and the conditions say why.
    """
    taken, dropped = Stopping(rule), Stopping(rule)
    begin = time.perf_counter()
    throttled = watch.begin()
    while not _finished(taken, dropped, rule, time.perf_counter() - begin):
        group = _group(sample, rule, rule.most - len(taken.seconds), begin)
        before, throttled = throttled, watch.is_throttled()
        for seconds in group:
            (dropped if before or throttled else taken).add(seconds)
    kept = taken if taken.seconds else dropped
    left_out = len(dropped.seconds) if kept is taken else 0
    return replace(
        kept.samples(),
        rule_met=taken.met,
        method=method,
        dropped=left_out,
        conditions=watch.conditions(),
    )


def _finished(taken: Stopping, dropped: Stopping, rule: StopRule, elapsed_s: float) -> bool:
    if taken.seconds or not dropped.seconds:
        return taken.finished(elapsed_s)
    return elapsed_s >= rule.time_limit_s


def _group(sample: Callable[[], float], rule: StopRule, most: int, begin: float) -> list[float]:
    """Some samples: at least one, and no more than the rule leaves time and number for."""
    found: list[float] = []
    now = group_begin = time.perf_counter()
    while not found or (
        len(found) < min(max(rule.least, 1), most)
        and now - group_begin < LOOK_EVERY_S
        and now - begin < rule.time_limit_s
    ):
        found.append(sample())
        now = time.perf_counter()
    return found
