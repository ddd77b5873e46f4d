# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import SeriesKey, Timing
from threadloom.ui.figures.bars import BarsFigure, conclusions, fitting
from threadloom.ui.theme.theme import Theme


@pytest.fixture
def timings(results: ModuleType) -> tuple[Timing, ...]:
    """A run with every baseline, those of frameworks under their long names."""
    known = results.timings(1_000_000, Provenance.MEASURED)
    numpy = next(timing for timing in known if timing.key is SeriesKey.NUMPY)
    names = ("CuPy 14.2.0, cuBLAS", "PyTorch 2.11.0, cuBLAS")
    frameworks = [replace(numpy, key=SeriesKey.FRAMEWORK, label=name) for name in names]
    loop = replace(numpy, key=SeriesKey.C_LOOP_THREADS, label="C loop, 16 threads")
    return (*known, *frameworks, loop)


def test_many_bars_in_a_narrow_figure_are_still_bars(
    qapp: QApplication, timings: tuple[Timing, ...]
) -> None:
    image = QImage(232, 210, QImage.Format.Format_RGB32)
    image.fill(0)
    theme = Theme.load("light")
    painter = QPainter(image)
    BarsFigure(timings, "").paint(painter, QRectF(0, 0, 232, 210), theme)
    painter.end()
    idle = theme.color("cell-idle")
    tracks = [y for y in range(210) if _has(image, y, idle)]
    assert len(tracks) > 20


def _has(image: QImage, y: int, color: QColor) -> bool:
    return any(image.pixelColor(x, y) == color for x in range(image.width()))


def test_each_sentence_names_what_the_kernel_is_held_against(
    qapp: QApplication, timings: tuple[Timing, ...]
) -> None:
    told = [fitting(said, 200) for said in conclusions(timings)][2:]
    assert [subject for subject, _words in told] == ["Kernel to CuPy 14.2.0", "Kernel to PyTorch"]
