# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Samples
from threadloom.presentation.export.page_size import PageSize
from threadloom.presentation.figures.caption import launch_sweep_caption
from threadloom.presentation.figures.launch_text import longer_words
from threadloom.services.messages.launch_sweep import LaunchSweepResult
from threadloom.ui.figures.heat_map import HeatMap
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.pages.export import export
from threadloom.ui.theme.theme import Theme

SVG = "{http://www.w3.org/2000/svg}"


def test_each_format_holds_every_median(
    qapp: QApplication, recorded: ModuleType, tmp_path: Path
) -> None:
    sweep: LaunchSweepResult = recorded.block_sweep()
    medians = [point.samples.median_s for point in sweep.points if point.samples is not None]
    for ending in ("png", "svg", "pdf"):
        export(sweep, tmp_path / f"a.{ending}", paper=PageSize(160, 110, 8, 100))
    image = QImage(str(tmp_path / "a.png"))
    values = json.loads(image.text("threadloom"))
    assert [point["median_s"] for point in values["points"]] == medians
    tree = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = ["".join(node.itertext()).strip() for node in tree.iter(f"{SVG}text")]
    assert {"316 µs", "1.2 ms", "block x", "block y"} <= set(texts)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_bright_is_fast_and_cells_stand_at_their_shape(recorded: ModuleType) -> None:
    points = recorded.block_sweep().points
    layout = HeatMap.fit(QRectF(0, 0, 500, 300), points)
    assert layout.columns == (4, 8, 16, 32, 64, 128)
    assert layout.share(layout.low_s) == 0
    assert layout.share(layout.high_s) == 1
    first = next(cell for cell in layout.cells if cell.is_first)
    assert first.rect == layout.place(32, 2)
    for number, cell in enumerate(layout.cells):
        assert not any(cell.rect.intersects(other.rect) for other in layout.cells[number + 1 :])


@pytest.mark.parametrize("theme", ["dark", "light", "print"])
def test_what_is_modeled_does_not_look_measured(
    qapp: QApplication, recorded: ModuleType, theme: str
) -> None:
    sweep: LaunchSweepResult = recorded.variant_sweep()
    points = tuple(
        replace(p, provenance=Provenance.MODELED, samples=Samples((p.samples.median_s,)))
        for p in sweep.points
        if p.samples is not None
    )
    assert painted(sweep, theme) != painted(replace(sweep, points=points), theme)


def painted(sweep: LaunchSweepResult, theme: str) -> QImage:
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    LaunchSweepFigure(sweep).paint(painter, QRectF(0, 0, 400, 200), Theme.load(theme))
    painter.end()
    return image


def test_a_little_longer_is_a_share_and_much_longer_a_factor() -> None:
    assert longer_words(1.05) == "5 % longer"
    assert longer_words(3.81) == "3.8× as long"


def test_a_caption_counts_runs_only_where_something_was_measured(recorded: ModuleType) -> None:
    sweep: LaunchSweepResult = recorded.variant_sweep()
    modeled = replace(
        sweep, points=tuple(replace(p, provenance=Provenance.MODELED) for p in sweep.points)
    )
    assert "Median and P10–P90 of up to 9 samples, warm." in launch_sweep_caption(sweep)
    assert not [said for said in launch_sweep_caption(modeled) if "run" in said]
