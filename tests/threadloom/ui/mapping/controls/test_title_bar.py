# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from threadloom.ui.mapping.controls.title_bar import TitleBar
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def bar(qtbot: QtBot, appearance: Appearance) -> Iterator[TitleBar]:
    window = QWidget()  # on its own, a bar would not be made smaller than it likes
    qtbot.addWidget(window)
    made = TitleBar(appearance, window)
    window.show()
    yield made
    appearance.set_text_scale(1.0)


def shown(bar: TitleBar) -> list[QWidget]:
    parts = [bar.blocks, bar.data, bar.rank, *bar._zoom, bar._title]
    return sorted((part for part in parts if part.isVisible()), key=lambda part: part.x())


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("width", [1000, 840, 626])
def test_nothing_overlaps_at_any_width(bar: TitleBar, scale: float, width: int) -> None:
    bar._appearance.set_text_scale(scale)
    bar.resize(width, bar.height())
    parts = shown(bar)
    edges = [(part.x(), part.x() + part.width()) for part in parts]
    assert all(end <= start for (_s, end), (start, _e) in pairwise(edges))
    assert edges[-1][1] <= width
    for button in (*bar.data.buttons(), *bar.blocks.buttons()):
        assert button.width() >= button.minimumWidth()


def test_short_words_are_only_taken_where_there_is_no_room(bar: TitleBar) -> None:
    bar.resize(900, bar.height())
    assert [button.text() for button in bar.data.buttons()][1] == "Write time"
    bar._appearance.set_text_scale(1.5)
    bar.resize(626, bar.height())
    assert [button.text() for button in bar.data.buttons()][1] == "Time"
    assert bar.data.buttons()[1].accessibleName().endswith("Write time")


def test_zoom_stays_as_long_as_short_words_leave_room(bar: TitleBar) -> None:
    bar._appearance.set_text_scale(1.3)
    bar.resize(688, bar.height())
    assert [button.text() for button in bar.data.buttons()][1] == "Time"
    assert all(button.isVisible() for button in bar._zoom)
