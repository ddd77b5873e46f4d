# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey
from threadloom.services.bench.break_even import break_even, crossing


def test_it_is_interpolated_on_logarithmic_axes() -> None:
    """Lines of slope 1 and 0 that meet at 1000."""
    cpu = {100: 1e-4, 10_000: 1e-2}
    gpu = {100: 1e-3, 10_000: 1e-3}
    assert crossing(cpu, gpu) == pytest.approx(1000)


def test_never_and_always() -> None:
    assert crossing({1: 1.0, 10: 1.0}, {1: 2.0, 10: 2.0}) is None
    assert crossing({1: 1.0, 10: 1.0}, {1: 0.5, 10: 0.5}) == 1.0


def test_a_lead_that_is_lost_again_does_not_count() -> None:
    cpu = {1: 1.0, 10: 1.0, 100: 1.0, 1000: 1.0}
    gpu = {1: 2.0, 10: 0.5, 100: 2.0, 1000: 0.5}
    found = crossing(cpu, gpu)
    assert found is not None
    assert 100 < found < 1000


def test_only_sizes_that_both_have_count() -> None:
    assert crossing({1: 1.0}, {10: 0.1}) is None


def _series(key: SeriesKey, label: str, medians: dict[int, float | None]) -> Series:
    points = tuple(
        Point(size, None if m is None else Samples((m,)), literal("" if m else "skipped"))
        for size, m in medians.items()
    )
    return Series(
        key, literal(label), Provenance.MEASURED, Engine.HOST, "here", literal(""), points
    )


def test_one_entry_for_each_baseline() -> None:
    total = _series(SeriesKey.TOTAL, "GPU", {1: 2.0, 10: 2.0, 100: 2.0})
    loop = _series(SeriesKey.C_LOOP, "C", {1: 1.0, 10: 4.0, 100: None})
    numpy = _series(SeriesKey.NUMPY, "NumPy", {1: 1.0, 10: 1.0, 100: 1.0})
    found = {str(entry.baseline): entry.size for entry in break_even([loop, numpy, total])}
    assert found["NumPy"] is None
    assert found["C"] == pytest.approx(10**0.5)
    assert break_even([loop, numpy]) == ()


def test_the_interval_is_where_slow_meets_fast() -> None:
    """Lines of slope 1 and 0 that meet at 1000; samples lie 20 and 50 % apart."""
    sizes = (10, 100_000)
    cpu = _points(SeriesKey.NUMPY, {n: [n * f for f in (0.8, 1.0, 1.2)] for n in sizes})
    gpu = _points(SeriesKey.TOTAL, {n: [500.0, 1000.0, 1500.0] for n in sizes})
    (found,) = break_even([cpu, gpu])
    assert found.size == pytest.approx(1000)
    assert found.low == pytest.approx(500 / 1.2)
    assert found.high == pytest.approx(1500 / 0.8)


def _points(key: SeriesKey, samples: dict[int, list[float]]) -> Series:
    points = tuple(Point(size, Samples(tuple(found))) for size, found in samples.items())
    return Series(key, literal(""), Provenance.MEASURED, Engine.HOST, "here", literal(""), points)
