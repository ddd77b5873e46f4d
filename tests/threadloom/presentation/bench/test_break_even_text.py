# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from threadloom.model.job import Job
from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import Series, SeriesKey
from threadloom.presentation.bench.break_even_text import break_even_sentences
from threadloom.services.messages.sweep import BreakEven, SweepResult


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
        f"{before}Including transfers, the GPU is not faster than NumPy in this range.",
        f"{before}Including transfers, the GPU is faster than C loop for n ≥ 1,000.",
    ]


@pytest.mark.parametrize(
    ("low", "high", "interval"),
    [
        (500.0, 500.0, ""),
        (400.0, 2_000.0, " (95 % CI 400 to 2,000)"),
        (400.0, None, " (95 % CI 400 to ∞)"),
    ],
)
def test_the_sentence_has_the_interval_of_the_break_even(
    results: ModuleType, low: float, high: float | None, interval: str
) -> None:
    sweep = results.sweep((100, 1_000), Provenance.MEASURED)
    found = replace(sweep, break_even=(BreakEven(literal("NumPy 2.4"), 500.0, low, high),))
    assert break_even_sentences(found) == [
        f"Including transfers, the GPU is faster than NumPy for n ≥ 500{interval}."
    ]
