# SPDX-License-Identifier: MIT

from __future__ import annotations

import itertools
from collections.abc import Iterator

from threadloom.model.timing.interleaving import ROUNDS, interleave, joined
from threadloom.model.timing.samples import Samples, StoppingCriterion

CRITERION = StoppingCriterion(min_samples=9, max_samples=60, time_limit_s=0.3)


class Thing:
    """Takes its times from a cycle, on its own clock."""

    def __init__(self, *seconds: float, sample_s: float = 1e-6) -> None:
        self._times: Iterator[float] = itertools.cycle(seconds)
        self._sample_s = sample_s
        self.criteria: list[StoppingCriterion] = []
        self.now_s = 0.0

    def __call__(self, criterion: StoppingCriterion) -> Samples:
        self.criteria.append(criterion)
        fitting = max(1, int(criterion.time_limit_s / self._sample_s))
        count = min(criterion.max_samples, fitting)
        self.now_s += count * self._sample_s
        return Samples(tuple(itertools.islice(self._times, count)))

    def clock(self) -> float:
        return self.now_s


def counts(parts: tuple[Samples, ...]) -> list[int]:
    return [len(part.seconds) for part in parts]


def test_what_is_steady_ends_after_the_first_rounds_and_noise_goes_on_alone() -> None:
    steady, noisy = Thing(1e-6), Thing(1e-6, 1.5e-6)
    few, many = interleave([steady, noisy], CRITERION)
    assert counts(few) == [3] * ROUNDS
    assert counts(many) == [3, 3, 3, 3, 3, 3, 6, 6, 6, 8, 8, 8]
    assert joined(few, CRITERION).converged
    assert not joined(many, CRITERION).converged


def test_the_number_of_samples_is_never_above_the_maximum() -> None:
    (parts,) = interleave(
        [Thing(1e-6, 1.5e-6)], StoppingCriterion(min_samples=6, max_samples=20, time_limit_s=1)
    )
    assert counts(parts) == [2, 2, 2, 2, 2, 2, 3, 3, 2]


def test_the_time_limit_is_for_all_rounds_together() -> None:
    slow = Thing(1e-6, 2e-6, sample_s=0.02)
    (parts,) = interleave([slow], CRITERION, slow.clock)
    assert slow.now_s <= CRITERION.time_limit_s + max(c.time_limit_s for c in slow.criteria)
    assert all(c.time_limit_s == CRITERION.time_limit_s / ROUNDS for c in slow.criteria)
    assert sum(counts(parts)) >= CRITERION.min_samples
    assert slow.now_s >= CRITERION.time_limit_s


def test_what_is_slower_than_the_limit_is_timed_once() -> None:
    (parts,) = interleave([Thing(5.0, sample_s=5.0)], CRITERION)
    assert counts(parts) == [1]


def test_nothing_to_time_is_no_fault() -> None:
    assert interleave([], CRITERION) == ()
