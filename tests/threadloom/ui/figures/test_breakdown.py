# SPDX-License-Identifier: MIT
from __future__ import annotations

import csv
import json
from statistics import median
from types import ModuleType

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from threadloom.model.run import Run
from threadloom.presentation.bench.breakdown_text import breakdown_steps, to_cuda_text
from threadloom.services.export.breakdown import BreakdownRecord
from threadloom.services.export.write import to_csv, to_json
from threadloom.ui.figures.breakdown import BreakdownFigure
from threadloom.ui.theme.theme import Theme


def record_of(run: Run) -> BreakdownRecord:
    return BreakdownRecord.of(run, breakdown_steps(run))


def figure(recorded: ModuleType) -> BreakdownFigure:
    run = recorded.breakdown_run()
    return BreakdownFigure(breakdown_steps(run), to_cuda_text(run))


def test_a_low_page_has_every_step_within_it(qapp: QApplication, recorded: ModuleType) -> None:
    breakdown = figure(recorded)
    assert breakdown.height(300) > 400
    image = QImage(300, 240, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    breakdown.paint(painter, QRectF(10, 10, 280, 190), Theme.load("dark"))
    painter.end()
    black = image.pixel(0, 0)
    below = {image.pixel(x, y) for x in range(300) for y in range(210, 240)}
    assert below == {black}
    within = {image.pixel(x, 190) for x in range(300)}
    assert within != {black}


def test_the_numbers_of_each_step_go_along(recorded: ModuleType) -> None:
    rows = figure(recorded).values["steps"]
    assert isinstance(rows, list)
    told = {(row["part"], row["step"]): row for row in rows}
    row = told["pinned", "H2D copy"]
    assert row["source"] == "measured"
    assert row["median_s"] == pytest.approx(median(row["samples_s"]))


def test_a_file_has_a_row_for_each_sample_and_for_what_is_not_known(
    recorded: ModuleType, results: ModuleType
) -> None:
    record = record_of(recorded.breakdown_run())
    rows = list(csv.DictReader(line for line in to_csv(record).splitlines() if line[0] != "#"))
    expected = sum(len(step.samples.seconds) for step in record.steps if step.samples)
    assert len(rows) == expected
    assert json.loads(to_json(record))["steps"][0]["step"] == "Compile"
    unknown = record_of(results.vector_run(1_000))
    told = to_csv(unknown)
    assert "once,First launch,,,,,,,needs a GPU" in told
