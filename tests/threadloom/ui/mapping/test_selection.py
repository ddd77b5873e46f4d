# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from threadloom.model.run import Run
from threadloom.presentation.inspector.selection_details import selection_facts
from threadloom.presentation.mapping.region import Kind, Selection
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance

AXES = ("depth", "rows", "cols")


@pytest.fixture
def view(qtbot: QtBot, store: Store, appearance: Appearance, example: Run) -> Iterator[MappingView]:
    made = MappingView(store, appearance)
    made.set_reduced_motion(True)
    qtbot.addWidget(made)
    made.resize(872, 486)
    made.show()
    store.change(sizes={"n": 1000})
    store.set_run(example)
    yield made
    made.playback.pause()


def drag(qtbot: QtBot, view: MappingView, start: QPoint, end: QPoint) -> None:
    canvas, left = view.canvas, Qt.MouseButton.LeftButton
    qtbot.mousePress(canvas, left, pos=start)
    qtbot.mouseMove(canvas, end)
    qtbot.mouseRelease(canvas, left, pos=end)


def test_a_drag_selects_elements_and_their_sums_are_told(view: MappingView, qtbot: QtBot) -> None:
    pane = view.canvas._ensured().data
    first, last = (pane.rects_of(number)[-1].center().toPoint() for number in (33, 67))
    with qtbot.waitSignal(view.selection_changed) as caught:
        drag(qtbot, view, first, last)
    (selection,) = caught.args
    assert selection.kind is Kind.ELEMENTS
    assert selection.cells.tolist() == [33, 34, 35, 65, 66, 67]
    facts = {fact.name: fact.value for fact in selection_facts(view.model, selection)}
    assert facts["Selected"] == "6"
    assert facts["Threads"] == "6"
    assert facts["Warps"] == "2"
    assert float(facts["Sum"]) == sum(n + n / 8 for n in selection.cells.tolist())
    assert not view._store.selected_thread
    with qtbot.waitSignal(view.selection_changed) as caught:
        qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert caught.args == [None]


def test_a_drag_selects_blocks(view: MappingView, qtbot: QtBot) -> None:
    cells = view.canvas._ensured().grid.cells
    with qtbot.waitSignal(view.selection_changed) as caught:
        drag(qtbot, view, cells.topLeft().toPoint() + QPoint(2, 2), cells.center().toPoint())
    (selection,) = caught.args
    assert selection.kind is Kind.BLOCKS
    facts = {fact.name: fact.value for fact in selection_facts(view.model, selection)}
    assert facts["Threads"] == str(256 * selection.cells.size)
    assert "Mean time per block" in facts


def test_an_element_is_shown_that_nobody_wrote(view: MappingView, store: Store) -> None:
    view.show_element("c", 700)
    assert store.playhead_s == view.playback.duration_s
    frame = view.canvas._band.frame
    assert frame is not None
    assert frame.contains(view.canvas._ensured().data.rects_of(700)[-1].center())
    view.show_element("a", 3)
    assert view.canvas._band.frame == frame


def test_facts_of_one_element_name_its_value(view: MappingView) -> None:
    selection = Selection(Kind.ELEMENTS, np.array([700]))
    facts = {fact.name: fact.value for fact in selection_facts(view.model, selection)}
    assert facts["First"] == "c[700]"
    assert facts["Value"] == "787.5000"


def test_the_space_bar_plays_or_pans(view: MappingView, qtbot: QtBot) -> None:
    view.playback.move(0.0)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    assert view.playback.playing
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    assert not view.playback.playing
    view.canvas.zoom(8.0)
    middle = view.canvas._ensured().data_middle().toPoint()
    before = view.canvas._data_viewport
    qtbot.keyPress(view.canvas, Qt.Key.Key_Space)
    drag(qtbot, view, middle, middle - QPoint(0, 30))
    qtbot.keyRelease(view.canvas, Qt.Key.Key_Space)
    assert view.canvas._data_viewport.top == before.top + 30 * view.canvas.drawing.ratio
    assert not view.playback.playing


def test_links_slide_and_panes_fade_unless_motion_is_reduced(
    view: MappingView, store: Store, qtbot: QtBot, example: Run
) -> None:
    model = view.model
    canvas = view.canvas
    owners = [model.thread_of_element(number) for number in (549, 10)]
    store.select_thread(owners[0], pinned=True)
    store.select_thread(owners[1], pinned=True)
    assert not canvas._transition.progress.running
    canvas.calm = False
    settled = canvas._connectors()
    store.select_thread(owners[0], pinned=True)
    assert canvas._transition.progress.running
    assert canvas._connectors() == settled
    qtbot.waitUntil(lambda: not canvas._transition.progress.running)
    assert canvas._connectors() != settled
    canvas.zoom(2.0, QPointF(canvas._ensured().data.cells.center()))
    assert canvas._fade.progress.running
    canvas.grab()
    qtbot.waitUntil(lambda: not canvas._fade.progress.running)


def test_a_drag_along_the_slider_turns_slices(
    view: MappingView, store: Store, qtbot: QtBot
) -> None:
    store.change(operation="tensor_add", variant="grid", sizes=dict.fromkeys(AXES, 16), grid=None)
    store.set_run(None)
    pane = view.canvas._ensured().data
    assert pane.strip is not None
    track = pane.strip._track
    start, end = track.topLeft().toPoint(), track.bottomLeft().toPoint()
    drag(qtbot, view, start + QPoint(2, 1), end + QPoint(2, 0))
    assert view.canvas.drawing.slice == 15
    qtbot.keyClick(view.canvas, Qt.Key.Key_PageUp)
    assert view.canvas.drawing.slice == 14
