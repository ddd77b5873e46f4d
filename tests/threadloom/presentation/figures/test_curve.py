# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from threadloom.model.timing.samples import Point, Samples
from threadloom.presentation.export.page_size import PageSize
from threadloom.presentation.figures.curve import curves
from threadloom.services.messages.sweep import SweepResult
from threadloom.ui.figures.pages.export import export

STEP = 0.5e-6


def with_times_below(sweep: SweepResult) -> SweepResult:
    """The first point of the first series is below what its clock can tell."""
    first = sweep.series[0]
    low = Samples((0.0, 0.0, STEP), timer_resolution_s=STEP)
    points = (Point(first.points[0].size, low), *first.points[1:])
    return replace(sweep, series=(replace(first, points=points), *sweep.series[1:]))


def test_a_point_below_the_clocks_step_lies_on_it(results: ModuleType) -> None:
    sweep = with_times_below(results.sweep())
    key = sweep.series[0].key
    (curve,) = (one for one in curves(sweep.series) if one.series.key is key)
    assert (curve.median_s[0], curve.low_s[0], curve.high_s[0]) == (STEP, STEP, STEP)
    assert curve.below.tolist() == [True] + [False] * (curve.size.size - 1)


def test_an_arrow_points_down_from_it(
    qapp: QApplication, results: ModuleType, tmp_path: Path
) -> None:
    sweep, paper = with_times_below(results.sweep()), PageSize(160, 110, 8, 100)
    at_step = Samples((STEP, STEP, STEP), timer_resolution_s=STEP)
    first = sweep.series[0]
    told = replace(first, points=(Point(first.points[0].size, at_step), *first.points[1:]))
    pictures = []
    for number, one in enumerate((sweep, replace(sweep, series=(told, *sweep.series[1:])))):
        export(one, tmp_path / f"{number}.png", paper=paper)
        pictures.append(QImage(str(tmp_path / f"{number}.png")))
    assert pictures[0] != pictures[1]
