# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from dataclasses import replace

from tests.paths import DATA_FOLDER

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.export.converter import from_plain
from threadloom.services.messages.launch_sweep import LaunchSweepResult

RECORDED = DATA_FOLDER / "gpu" / "commands-h200.json"


def recorded() -> dict[str, object]:
    """The sweep over block shapes of a real H200."""
    rows = json.loads(RECORDED.read_text("utf-8"))["rows"]
    return next(row["found"] for row in rows if "--over block" in row["command"])


def test_a_real_gpu_has_one_fastest_block_and_ties_beside_slower_ones() -> None:
    points = from_plain(recorded(), LaunchSweepResult).points
    told = [rank(point, points) for point in points]
    assert told.count(Rank.FASTEST) == 1
    assert told.count(Rank.SLOWER) > 10
    fastest = points[told.index(Rank.FASTEST)]
    assert fastest.samples is not None
    medians = [point.samples.median_s for point in points if point.samples is not None]
    assert fastest.samples.median_s == min(medians)


def test_modeled_times_have_a_least_and_no_winner() -> None:
    point = from_plain(recorded(), LaunchSweepResult).points[0]
    modeled = replace(point, provenance=Provenance.MODELED)
    points = [replace(modeled, samples=Samples((s,))) for s in (2e-6, 1e-6, 1e-6 * (1 + 1e-12))]
    told = [rank(one, points) for one in points]
    assert told == [Rank.OTHER, Rank.LEAST, Rank.LEAST]
    assert rank(replace(modeled, samples=None), points) is Rank.OTHER
