# SPDX-License-Identifier: MIT
"""Simulated measurements: how many of the stated intervals hold the true median."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import pytest

from threadloom.model.array import Array
from threadloom.model.timing.confidence_interval import trimmed_rank
from threadloom.model.timing.samples import StoppingCriterion
from threadloom.model.timing.stopping import SampleCollector, checks

RUNS = 4000
CRITERIA = [
    StoppingCriterion(min_samples=6, max_samples=20),
    StoppingCriterion(min_samples=9, max_samples=60),
    StoppingCriterion(),
]
"""Of runs and sweeps over sizes, of sweeps over launches, and the default."""


def _normal(chance: np.random.Generator, shape: tuple[int, int]) -> Array:
    return chance.normal(1.0, 0.03, shape)


def _lognormal(chance: np.random.Generator, shape: tuple[int, int]) -> Array:
    return chance.lognormal(0.0, 0.05, shape)


def _bimodal(chance: np.random.Generator, shape: tuple[int, int]) -> Array:
    return chance.normal(1.0, 0.01, shape) + 0.1 * (chance.random(shape) < 0.3)


def _outliers(chance: np.random.Generator, shape: tuple[int, int]) -> Array:
    slow = (chance.random(shape) < 0.1) * (1.0 + chance.exponential(1.0, shape))
    return chance.normal(1.0, 0.03, shape) + slow


Noise = Callable[[np.random.Generator, tuple[int, int]], Array]
NOISE: dict[str, tuple[Noise, float]] = {
    "normal": (_normal, 1.0),
    "lognormal": (_lognormal, 1.0),
    "bimodal": (_bimodal, NormalDist(1.0, 0.01).inv_cdf(0.5 / 0.7)),
    "outliers": (_outliers, NormalDist(1.0, 0.03).inv_cdf(0.5 / 0.9)),
}
"""Samples of a distribution, and its true median: the second mode never lies below it."""


def _simulated(times: Array, criterion: StoppingCriterion) -> tuple[Array, Array, Array, Array]:
    """Ends of the interval, whether it converged and number of samples, a row of ``times`` each."""
    runs = len(times)
    low, high, converged = np.zeros(runs), np.zeros(runs), np.zeros(runs, bool)
    taken, going = np.zeros(runs, int), np.ones(runs, bool)
    for count in checks(criterion):
        rank = trimmed_rank(count)
        assert rank is not None
        ordered = np.sort(times[going, :count], axis=1)
        middle = np.median(ordered, axis=1)
        low[going], high[going] = ordered[:, rank], ordered[:, count - 1 - rank]
        width = np.maximum(high[going] - middle, middle - low[going]) / middle
        taken[going] = count
        converged[going] = width <= criterion.relative_target
        going &= ~converged
    return low, high, converged, taken


def _times(noise: str, criterion: StoppingCriterion) -> tuple[Array, float]:
    draw, true = NOISE[noise]
    return draw(np.random.default_rng(2), (RUNS, criterion.max_samples)), true


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda c: f"{c.min_samples}-{c.max_samples}")
def test_93_of_100_intervals_hold_the_true_median(criterion: StoppingCriterion, noise: str) -> None:
    times, true = _times(noise, criterion)
    low, high, _converged, _taken = _simulated(times, criterion)
    assert np.mean((low <= true) & (true <= high)) >= 0.93


def test_noise_of_3_percent_often_does_not_converge_in_20_samples() -> None:
    times, _true = _times("normal", CRITERIA[0])
    _low, _high, converged, taken = _simulated(times, CRITERIA[0])
    assert 0.4 < converged.mean() < 0.5
    assert set(taken[~converged]) == {20}


@pytest.mark.parametrize("noise", NOISE)
def test_samples_are_collected_as_simulated(noise: str) -> None:
    criterion = CRITERIA[1]
    times, _true = _times(noise, criterion)
    _low, _high, converged, taken = _simulated(times[:40], criterion)
    for row, expected, count in zip(times, converged, taken, strict=False):
        collector = SampleCollector(criterion)
        while not collector.finished(0.0):
            collector.add(float(row[len(collector.seconds)]))
        assert (collector.converged, len(collector.seconds)) == (expected, count)
