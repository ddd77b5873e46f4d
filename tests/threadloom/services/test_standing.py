# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from threadloom.model.provenance import Provenance
from threadloom.model.samples import Samples
from threadloom.services.record.launches import launch_sweep
from threadloom.services.standing import Standing, standing

RECORDED = Path(__file__).parents[2] / "data" / "gpu" / "commands-h200.json"


def recorded() -> dict[str, object]:
    """The sweep over block shapes of a real H200."""
    rows = json.loads(RECORDED.read_text("utf-8"))["rows"]
    return next(row["found"] for row in rows if "--over block" in row["command"])


def test_a_real_gpu_has_one_fastest_block_and_ties_beside_slower_ones() -> None:
    points = launch_sweep(recorded()).points
    told = [standing(point, points) for point in points]
    assert told.count(Standing.FASTEST) == 1
    assert told.count(Standing.SLOWER) > 10
    fastest = points[told.index(Standing.FASTEST)]
    assert fastest.samples is not None
    medians = [point.samples.median_s for point in points if point.samples is not None]
    assert fastest.samples.median_s == min(medians)


def test_modelled_times_have_a_least_and_no_winner() -> None:
    point = launch_sweep(recorded()).points[0]
    modelled = replace(point, provenance=Provenance.MODELLED)
    points = [replace(modelled, samples=Samples((s,))) for s in (2e-6, 1e-6, 1e-6 * (1 + 1e-12))]
    told = [standing(one, points) for one in points]
    assert told == [Standing.OTHER, Standing.LEAST, Standing.LEAST]
    assert standing(replace(modelled, samples=None), points) is Standing.OTHER
