# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest
from tests.run_records import make_run

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.model.timing.samples import Samples, SeriesKey, Timing
from threadloom.model.timing.speedup import SpeedupOutcome
from threadloom.services.bench.run_comparison import compare_runs, speedup_words
from threadloom.services.devices import device_table

MEASURED, MODELED = Provenance.MEASURED, Provenance.MODELED


def run(*timings: Timing, n: int = 1000, block: int = 256) -> Run:
    return make_run(
        Job("vector_add", "grid", {"n": n}, block=Dim3(block)),
        Launch(Dim3(4), Dim3(block)),
        Engine.GPU,
        device_table.find("H200"),
        timings=timings,
    )


def kernel(
    *seconds: float, cold: bool = False, source: Provenance = MEASURED, label: str = "Kernel"
) -> Timing:
    return Timing(SeriesKey.KERNEL, literal(label), Samples(seconds, cold=cold), source, "H200")


def words(one: Timing, other: Timing) -> str:
    (found,) = compare_runs(run(one), run(other))
    return found.words


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1.0] * 9, [2.0] * 9, "2× faster (2× to 2×)"),
        ([3.0] * 9, [2.0] * 9, "1.5× slower (1.5× to 1.5×)"),
        ([1.0] * 9, [1.01] * 9, "tie, within ±2 %"),
        ([1.0, 1.5] * 5, [1.2] * 9, "inconclusive: 0.833× to 1.25× as long"),
        ([1.0] * 5, [2.0] * 9, "inconclusive: under 6 samples"),
    ],
)
def test_a_time_is_faster_the_same_or_not_to_be_told(
    first: list[float], second: list[float], expected: str
) -> None:
    assert words(kernel(*first), kernel(*second)) == expected


def test_cold_is_compared_with_cold_and_warm_comes_first() -> None:
    one = run(kernel(*[5.0] * 9, cold=True, label="cold"), kernel(*[1.0] * 9, label="warm"))
    other = run(kernel(*[5.0] * 9, cold=True, label="cold"), kernel(*[2.0] * 9, label="warm"))
    found = compare_runs(one, other)
    assert [(str(c.title), c.speedup.outcome if c.speedup else None) for c in found] == [
        ("warm", SpeedupOutcome.FASTER),
        ("cold", SpeedupOutcome.TIE),
    ]


def test_other_work_and_other_origins_are_not_compared() -> None:
    measured, modeled = kernel(*[1.0] * 9), kernel(2.0, source=MODELED)
    (found,) = compare_runs(run(measured), run(modeled))
    assert found.speedup is None
    assert found.words == "measured and modeled times cannot be compared"
    (found,) = compare_runs(run(measured), run(measured, n=2000))
    assert found.words == "different work"
    (found,) = compare_runs(run(measured), run(measured, block=128))
    assert found.speedup is not None


def test_modeled_times_differ_by_what_the_model_says() -> None:
    one, other = kernel(1.0, source=MODELED), kernel(4.0, source=MODELED)
    assert words(one, other) == "4× faster"
    assert words(other, one) == "4× slower"
    assert words(one, one) == "tie, within ±2 %"


def test_each_framework_is_compared_with_itself() -> None:
    cupy = Timing(SeriesKey.FRAMEWORK, literal("CuPy 14"), Samples((1.0,) * 9), MEASURED, "H200")
    torch = replace(cupy, label=literal("PyTorch 2"))
    found = compare_runs(run(cupy, torch), run(torch))
    assert [str(c.title) for c in found] == ["PyTorch 2"]
    assert found[0].speedup is not None
    assert speedup_words(found[0].speedup) == "tie, within ±2 %"
