# SPDX-License-Identifier: MIT

import json
from dataclasses import replace

import pytest

from threadloom.cli.launch_sweep_text import launch_points, launch_sweep_document, standing
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.provenance import Provenance
from threadloom.model.samples import Samples
from threadloom.services.request import Job, LaunchChoice, LaunchPoint, LaunchSweepResult

JOB = Job("matmul", "naive", {"m": 64, "n": 64, "k": 64})


def point(x: int, *seconds: float) -> LaunchPoint:
    return LaunchPoint(
        LaunchChoice("naive", Dim3(x)),
        Launch(Dim3(4), Dim3(x)),
        Samples(seconds) if seconds else None,
        Provenance.MEASURED,
        "H200",
        matches=True if seconds else None,
        warps_per_sm=64,
        skipped="" if seconds else "too large",
    )


POINTS = (point(32, *[1.0] * 9), point(64, *[1.01] * 9), point(128, *[1.2] * 9), point(2048))


def test_the_fastest_has_ties_and_modelled_times_have_no_winner() -> None:
    assert [standing(one, POINTS) for one in POINTS] == ["fastest", "tie", "", ""]
    modelled = tuple(replace(one, provenance=Provenance.MODELLED) for one in POINTS)
    assert {standing(one, modelled) for one in modelled} == {""}


def test_read_back_it_is_the_same() -> None:
    result = LaunchSweepResult(JOB, POINTS, {"device": "H200"}, complete=False)
    document = json.loads(json.dumps(launch_sweep_document(result)))
    assert launch_points(document) == (JOB, POINTS)
    with pytest.raises(ValueError, match="else"):
        launch_points({"format": "else"})
