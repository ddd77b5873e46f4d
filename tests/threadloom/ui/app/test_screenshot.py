# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.model.launch import Launch, ThreadId
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.screenshot import PictureError, save, telling_thread

SMALL = Workspace(sizes={"n": 64}, block=Dim3(16), grid=Dim3(4), engine=EngineChoice.EMULATOR)


@pytest.mark.parametrize(("scale", "pixels"), [(1.0, (1120, 700)), (2.0, (2240, 1400))])
def test_a_picture_shows_the_window_after_its_run(
    qapp: QApplication, tmp_path: Path, scale: float, pixels: tuple[int, int]
) -> None:
    file = tmp_path / "window.png"
    save(file, SMALL, theme="light", scale=scale, width=1120, height=700, tab="memory")
    image = QImage(str(file))
    assert (image.width(), image.height()) == pixels
    colors = {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 7)
        for y in range(0, image.height(), 7)
    }
    assert len(colors) > 40
    assert image.pixelColor(4, 4).lightness() > 200


def test_a_folder_that_is_not_there_is_said(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be written"):
        save(tmp_path / "no" / "window.png", SMALL, width=1120, height=700, tab="runs")


@pytest.mark.parametrize(
    ("launch", "thread"),
    [
        (Launch(Dim3(3907), Dim3(256)), ThreadId(Dim3(2, 0, 0), Dim3(37, 0, 0))),
        (Launch(Dim3(32, 32), Dim3(16, 16)), ThreadId(Dim3(12, 5, 0), Dim3(5, 2, 0))),
        (Launch(Dim3(1), Dim3(1)), ThreadId(Dim3(0, 0, 0), Dim3(0, 0, 0))),
        (Launch(Dim3(2, 1, 5), Dim3(8, 2, 2)), ThreadId(Dim3(1, 0, 1), Dim3(7, 1, 1))),
    ],
)
def test_the_thread_to_show(launch: Launch, thread: ThreadId) -> None:
    assert telling_thread(launch) == thread
