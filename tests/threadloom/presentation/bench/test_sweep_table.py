# SPDX-License-Identifier: MIT

from dataclasses import replace

from threadloom.model.message import literal
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.samples import Point, Samples, Series, SeriesKey
from threadloom.presentation.bench.sweep_table import convergence_text


def series(*samples: Samples | None) -> Series:
    points = tuple(Point(number, one) for number, one in enumerate(samples))
    return Series(
        SeriesKey.KERNEL, literal(""), Provenance.MEASURED, Engine.GPU, "H200", literal(""), points
    )


def test_points_that_did_not_converge_are_marked_and_counted() -> None:
    steady, noisy = Samples((1.0,) * 6), Samples((1.0, 1.1) * 3, converged=False)
    assert convergence_text(series(steady)) == "Medians converged to ±2 % at 1 of 1 point."
    assert convergence_text(series(steady, noisy, None)) == (
        "Medians converged to ±2 % at 1 of 2 points; ~ marks the others."
    )
    assert convergence_text(series(None)) == ""
    assert convergence_text(replace(series(noisy), provenance=Provenance.MODELED)) == ""
