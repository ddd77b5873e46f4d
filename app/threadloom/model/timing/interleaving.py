# SPDX-License-Identifier: MIT
"""Interleaved trials: parts of several measurements take turns, under one criterion for each."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom.model.timing.stopping import SampleCollector

ROUNDS = 3
"""Rounds up to each check of the criterion, so that a change of the clock rate affects all
measurements alike."""

Trial = Callable[[StoppingCriterion], Samples]
"""Takes samples of one thing by a criterion for this part."""


@dataclass(slots=True, eq=False)
class _Measurement:
    trial: Trial
    collector: SampleCollector
    parts: list[Samples] = field(default_factory=list)
    elapsed_s: float = 0.0

    @property
    def finished(self) -> bool:
        """The first rounds share the time limit by their own limits; later ones by the clock."""
        first = len(self.parts) < ROUNDS
        return self.collector.finished(sum(self.collector.seconds) if first else self.elapsed_s)

    def run(self, count: int, clock: Callable[[], float]) -> None:
        limit_s = self.collector.criterion.time_limit_s
        begin = clock()
        part = self.trial(
            replace(
                self.collector.criterion,
                min_samples=count,
                max_samples=count,
                time_limit_s=limit_s / ROUNDS,
            )
        )
        self.elapsed_s += clock() - begin
        self.parts.append(part)
        for seconds in part.seconds:
            self.collector.add(seconds)


def interleave(
    trials: Sequence[Trial],
    criterion: StoppingCriterion,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[tuple[Samples, ...], ...]:
    """Parts of each trial's samples in the order of the trials; the criterion is for all parts.

    Each check of the criterion comes after `ROUNDS` rounds. The order is another one in each round,
    and always the same for the same number of trials.
    """
    found = [_Measurement(trial, SampleCollector(criterion)) for trial in trials]
    chance = random.Random(len(trials))  # noqa: S311 - an order, not a secret
    while any(not one.finished for one in found):
        going = [one for one in found if not one.finished]
        counts = {id(one): math.ceil(one.collector.until_check / ROUNDS) for one in going}
        for _round in range(ROUNDS):
            chance.shuffle(going)
            for one in going:
                if not one.finished:
                    one.run(max(1, min(counts[id(one)], one.collector.until_check)), clock)
    return tuple(tuple(one.parts) for one in found)


def joined(parts: Sequence[Samples], criterion: StoppingCriterion) -> Samples:
    """The samples of all parts as one measurement."""
    collector = SampleCollector(criterion)
    for part in parts:
        for seconds in part.seconds:
            collector.add(seconds)
    resolution_s = max(part.timer_resolution_s for part in parts)
    return replace(collector.samples(), timer_resolution_s=resolution_s)
