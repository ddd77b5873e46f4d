# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.mapping.palette import Palette
from threadloom.services.devices.device_table import find
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.mapping.panes.refused_launch import block_backdrops, columns, paint_refused
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def drawing(appearance: Appearance) -> Drawing:
    """4,096 threads in a block, where 1,024 may be."""
    model = MappingModel(Launch(Dim3(8, 8), Dim3(64, 64)), Phase.REFUSED, device=find("RTX 4090"))
    palette = Palette.of(appearance.theme.colors, dark=appearance.theme.is_dark)
    return Drawing(palette, model, appearance=appearance)


@pytest.mark.parametrize("side", [120.0, 166.0, 248.0, 400.0])
@pytest.mark.parametrize("threads", [1025, 1200, 2048, 4096, 8192, 32_768, 500_000])
def test_what_is_asked_and_what_is_allowed_do_not_cover_each_other(
    drawing: Drawing, threads: int, side: float
) -> None:
    asked = replace(drawing.model, launch=Launch(Dim3(8), Dim3(threads)))
    box = QRectF(200, 46, side, side)
    backdrops = block_backdrops(replace(drawing, model=asked), box)
    assert [backdrop.lines[0].words for backdrop in backdrops][1] == f"{threads:,} threads"
    allowed, wanted = (backdrop.box(drawing.appearance) for backdrop in backdrops)
    assert not allowed.intersects(wanted)
    assert allowed.right() <= box.right()
    assert wanted.bottom() <= box.bottom()


@pytest.mark.parametrize("size", [(778, 230), (872, 420)])
def test_titles_end_where_the_next_column_begins(drawing: Drawing, size: tuple[int, int]) -> None:
    image = QImage(*size, QImage.Format.Format_RGB32)
    ground = drawing.appearance.color("bg-canvas")
    image.fill(ground)
    painter = QPainter(image)
    paint_refused(painter, drawing, *size)
    painter.end()
    _grid, _block, data = columns(*size)
    between = [image.pixelColor(int(data.left()) - 1 - x, y) for x in range(6) for y in range(36)]
    assert {color.name() for color in between} == {ground.name()}
