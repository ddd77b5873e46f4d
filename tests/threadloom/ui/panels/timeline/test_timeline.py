# SPDX-License-Identifier: MIT
from __future__ import annotations

from types import ModuleType

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from tests.run_records import with_facts

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.ui.figures.timeline_layout import time_ticks
from threadloom.ui.panels.timeline.timeline import TimelinePane
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def pane(qtbot: QtBot, store: Store, appearance: Appearance) -> TimelinePane:
    made = TimelinePane(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 500)
    made.show()
    return made


def test_follows_a_block_and_brings_its_sm_into_view(
    pane: TimelinePane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000_000))
    store.select_thread(ThreadId(Dim3(100, 0, 0), Dim3(0, 0, 0)))
    figure = pane.view.figure
    assert figure is not None
    assert figure.selected == 100
    assert figure.selected_name == "block 100"
    at = figure.layout(pane.view._box())
    assert at.first <= 100 < at.last


def test_a_click_on_a_bar_follows_its_block(
    pane: TimelinePane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_run(results.vector_run(1_000_000))
    figure = pane.view.figure
    assert figure is not None
    bar = figure.bar_rect(figure.layout(pane.view._box()), 129)
    spot = QPoint(round(bar.center().x()), round(bar.center().y()))
    with qtbot.waitSignal(store.selected_thread_changed):
        qtbot.mouseClick(pane.view, Qt.MouseButton.LeftButton, pos=spot)
    assert store.selected_thread is not None
    assert store.selected_thread.thread.block == Dim3(129, 0, 0)
    assert store.selected_thread.pinned


def test_a_click_on_the_curve_sets_the_time(
    pane: TimelinePane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_run(results.vector_run(1_000_000))
    figure = pane.view.figure
    assert figure is not None
    at = figure.layout(pane.view._box())
    spot = QPoint(round(float(at.x(3e-6))), round(at.curve.center().y()))
    qtbot.mouseClick(pane.view, Qt.MouseButton.LeftButton, pos=spot)
    assert store.playhead_s == pytest.approx(3e-6, rel=0.02)


def test_keys_move_through_the_sms(
    pane: TimelinePane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_run(results.vector_run(1_000_000))
    qtbot.keyClick(pane.view, Qt.Key.Key_PageDown)
    figure = pane.view.figure
    assert figure is not None
    assert figure.first_sm > 0
    for _press in range(60):
        qtbot.keyClick(pane.view, Qt.Key.Key_PageDown)
    assert pane.view.figure is not None
    assert pane.view.figure.layout(pane.view._box()).last == 128


def test_a_million_blocks_are_drawn_as_pixels_and_only_once(
    pane: TimelinePane, store: Store, results: ModuleType
) -> None:
    run = results.vector_run(2_000)

    from threadloom.model.launch import Launch
    from threadloom.model.schedule import modeled_timeline

    launch = Launch(Dim3(1_000_000), Dim3(256))
    line = modeled_timeline(run.device, launch, run.occupancy, 1e-3)
    store.set_run(with_facts(run, launch=launch, timeline=line, trace=None))
    assert pane.view.figure is not None
    assert not pane.view.figure.rows.bars
    pane.grab()
    drawn = pane.view._ground_made.cacheKey()
    for step in range(20):
        store.set_playhead(step * 1e-5)
        pane.grab()
    assert pane.view._ground_made.cacheKey() == drawn


def test_ticks_are_round_and_share_a_unit() -> None:
    ticks, unit, scale = time_ticks(96.5e-6, 10)
    assert unit == "µs"
    assert [round(tick / scale) for tick in ticks] == list(range(0, 100, 10))
    ticks, unit, scale = time_ticks(1.5e-3, 6)
    assert unit == "µs"
    assert len(ticks) <= 7


def test_says_why_there_is_nothing(pane: TimelinePane, store: Store, results: ModuleType) -> None:
    assert pane.view._empty == "Press F5 to run"
    store.set_run(results.refused_run())
    assert pane.view._empty == "No block ran"
