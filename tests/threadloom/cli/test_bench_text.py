# SPDX-License-Identifier: MIT

from dataclasses import replace

import pytest

from threadloom.cli.bench_text import (
    break_even_sentences,
    convergence_sentence,
    gpu_state_sentences,
)
from threadloom.model.job import Job
from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.gpu_state import GpuState, GpuStates
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey
from threadloom.services.messages.sweep import BreakEven, SweepResult


def series(*samples: Samples | None) -> Series:
    points = tuple(Point(number, one) for number, one in enumerate(samples))
    return Series(
        SeriesKey.KERNEL, literal(""), Provenance.MEASURED, Engine.GPU, "H200", literal(""), points
    )


def test_nothing_is_said_where_nothing_was_read() -> None:
    assert gpu_state_sentences(series(Samples((1.0,)), None)) == []


def test_clocks_and_throttling_are_reported() -> None:
    cool = Samples(
        (1.0,), gpu_states=GpuStates((GpuState(1980, 3201, 38), GpuState(1965, 3201, 41)))
    )
    hot = Samples(
        (1.0,), dropped=7, gpu_states=GpuStates((GpuState(1410, 3201, 80, ("power cap",)),))
    )
    assert gpu_state_sentences(series(cool)) == ["SM clock 1,965 to 1,980 MHz, 38 to 41 °C."]
    assert gpu_state_sentences(series(cool, hot)) == [
        "SM clock 1,410 to 1,980 MHz, 38 to 80 °C.",
        "! The GPU throttled (power cap); 7 samples discarded.",
    ]


def test_points_that_did_not_converge_are_marked_and_counted() -> None:
    steady, noisy = Samples((1.0,) * 6), Samples((1.0, 1.1) * 3, converged=False)
    assert convergence_sentence(series(steady)) == "Medians converged to ±2 % at 1 of 1 point."
    assert convergence_sentence(series(steady, noisy, None)) == (
        "Medians converged to ±2 % at 1 of 2 points; ~ marks the others."
    )
    assert convergence_sentence(series(None)) == ""
    assert convergence_sentence(replace(series(noisy), provenance=Provenance.MODELED)) == ""


@pytest.mark.parametrize(
    ("source", "before"), [(Provenance.MEASURED, ""), (Provenance.MODELED, "Modeled: ")]
)
def test_what_a_model_says_of_the_gpu_is_told_as_such(source: Provenance, before: str) -> None:
    total = Series(SeriesKey.TOTAL, literal(""), source, Engine.GPU, "H200", literal(""), ())
    found = SweepResult(
        job=Job("vector_add", "grid", {"n": 1000}),
        launch_text=literal(""),
        axis=literal("n, elements"),
        series=(total,),
        break_even=(BreakEven(literal("NumPy"), None), BreakEven(literal("C loop"), 1000.0)),
        environment={},
        all_match=True,
        complete=True,
    )
    assert break_even_sentences(found) == [
        f"{before}NumPy stays faster, copies counted.",
        f"{before}From size 1,000 on the GPU beats C loop, copies counted.",
    ]
