# SPDX-License-Identifier: MIT

from dataclasses import replace

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples
from threadloom.presentation.figures.launch_text import rank_text
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint


def point(x: int, *seconds: float) -> LaunchPoint:
    return LaunchPoint(
        LaunchChoice("naive", Dim3(x)),
        Launch(Dim3(4), Dim3(x)),
        Samples(seconds) if seconds else None,
        Provenance.MEASURED,
        "H200",
        matches=True if seconds else None,
        warps_per_sm=64,
        skipped=literal("" if seconds else "too large"),
    )


POINTS = (point(32, *[1.0] * 9), point(64, *[1.01] * 9), point(128, *[1.2] * 9), point(2048))


def test_the_fastest_has_ties_and_modeled_times_have_no_winner() -> None:
    assert [rank_text(one, POINTS) for one in POINTS] == ["fastest", "tie with the fastest", "", ""]
    modeled = tuple(replace(one, provenance=Provenance.MODELED) for one in POINTS)
    assert [rank_text(one, modeled) for one in modeled] == ["shortest (modeled)", "", "", ""]
