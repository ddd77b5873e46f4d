# SPDX-License-Identifier: MIT

import json

import pytest
from tests.paths import DATA_FOLDER

from threadloom.model.timing.samples import Samples
from threadloom.model.timing.speedup import SpeedupOutcome, speedup

RECORD = DATA_FOLDER / "gpu" / "timings-h200.json"


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [
        ([1.0] * 9, [1.1] * 9, SpeedupOutcome.FASTER),
        ([1.1] * 9, [1.0] * 9, SpeedupOutcome.SLOWER),
        ([1.0] * 9, [1.01] * 9, SpeedupOutcome.TIE),
        ([1.0] * 5, [2.0] * 5, SpeedupOutcome.INCONCLUSIVE),
        ([0.8, 1.0, 1.2] * 4, [0.9, 1.1, 1.3] * 4, SpeedupOutcome.INCONCLUSIVE),
    ],
)
def test_outcomes(one: list[float], other: list[float], outcome: SpeedupOutcome) -> None:
    assert speedup(Samples(tuple(one)), Samples(tuple(other))).outcome is outcome


def test_cold_is_not_compared_with_warm() -> None:
    with pytest.raises(ValueError, match="cold caches"):
        speedup(Samples((1.0,) * 9, cold=True), Samples((1.0,) * 9))


def test_no_kernel_of_an_h200_is_called_faster_than_itself() -> None:
    rows = json.loads(RECORD.read_text("utf-8"))["rows"]
    assert len(rows) > 10
    for row in rows:
        seconds = row["ours"]["warm"]["seconds"]
        found = speedup(Samples(tuple(seconds[::2])), Samples(tuple(seconds[1::2])))
        assert found.outcome not in {SpeedupOutcome.FASTER, SpeedupOutcome.SLOWER}, row["name"]
