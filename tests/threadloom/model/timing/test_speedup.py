# SPDX-License-Identifier: MIT

import json
import random

import pytest
from tests.paths import DATA_FOLDER

from threadloom.model.timing.confidence_interval import median_interval
from threadloom.model.timing.samples import Samples
from threadloom.model.timing.speedup import Pace, compare_pace

RECORD = DATA_FOLDER / "gpu" / "timings-h200.json"


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


@pytest.mark.parametrize(
    ("one", "other", "pace"),
    [
        ([1.0] * 9, [1.1] * 9, Pace.FASTER),
        ([1.1] * 9, [1.0] * 9, Pace.SLOWER),
        ([1.0] * 9, [1.01] * 9, Pace.SAME),
        ([1.0] * 5, [2.0] * 5, Pace.UNKNOWN),
        ([0.8, 1.0, 1.2] * 4, [0.9, 1.1, 1.3] * 4, Pace.UNKNOWN),
    ],
)
def test_words(one: list[float], other: list[float], pace: Pace) -> None:
    assert compare_pace(Samples(tuple(one)), Samples(tuple(other))).pace is pace


def test_cold_is_not_held_against_warm() -> None:
    with pytest.raises(ValueError, match="cold caches"):
        compare_pace(Samples((1.0,) * 9, cold=True), Samples((1.0,) * 9))


def test_no_kernel_of_an_h200_is_called_faster_than_itself() -> None:
    rows = json.loads(RECORD.read_text("utf-8"))["rows"]
    assert len(rows) > 10
    for row in rows:
        seconds = row["ours"]["warm"]["seconds"]
        found = compare_pace(Samples(tuple(seconds[::2])), Samples(tuple(seconds[1::2])))
        assert found.pace not in {Pace.FASTER, Pace.SLOWER}, row["name"]
