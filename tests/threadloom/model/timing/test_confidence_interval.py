# SPDX-License-Identifier: MIT

import random

import pytest

from threadloom.model.timing.confidence_interval import (
    MIN_SAMPLES,
    median_interval,
    relative_half_width,
)


@pytest.mark.parametrize(
    ("count", "ends"),
    [(5, None), (6, (0, 5)), (8, (0, 7)), (9, (1, 7)), (20, (5, 14)), (100, (39, 60))],
)
def test_ranks_are_those_of_the_tables(count: int, ends: tuple[int, int] | None) -> None:
    assert median_interval([float(value) for value in range(count)]) == ends


def test_the_interval_holds_the_median_as_often_as_it_says() -> None:
    chance = random.Random(7)
    held = 0
    for _try in range(1000):
        found = median_interval([chance.expovariate(1.0) for _number in range(20)])
        assert found is not None
        held += found[0] <= 0.6931 <= found[1]
    assert held >= 940


def test_below_the_minimum_there_is_no_interval() -> None:
    for count in range(1, MIN_SAMPLES):
        assert median_interval([1.0] * count) is None
        assert relative_half_width([1.0] * count) is None
    assert relative_half_width([1.0] * MIN_SAMPLES) == 0.0


def test_the_half_width_is_to_the_farther_end() -> None:
    assert relative_half_width([1.0, 1.0, 1.0, 1.0, 1.0, 1.5]) == pytest.approx(0.5)
    assert relative_half_width([0.8, 1.0, 1.0, 1.0, 1.0, 1.1]) == pytest.approx(0.2)
    assert relative_half_width([0.0] * 6) == float("inf")
