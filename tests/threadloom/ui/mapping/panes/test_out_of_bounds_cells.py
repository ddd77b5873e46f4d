# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.run_records import with_facts

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.model.trace import AccessKind, Space, Violation, ViolationKind
from threadloom.presentation.mapping.mapping_model import of_result
from threadloom.presentation.mapping.out_of_bounds import strays
from threadloom.presentation.mapping.tooltips import out_of_bounds_tip
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance

CULPRIT = ThreadId(Dim3(3, 0, 0), Dim3(232, 0, 0))


def with_stray(result: Run, index: int) -> Run:
    """The result of a kernel that reached outside once."""
    assert result.trace is not None
    out_of_bounds = ViolationKind.OUT_OF_BOUNDS
    fault = Violation(
        out_of_bounds, CULPRIT, 7, AccessKind.WRITE, Space.GLOBAL, "c", index, count=24
    )
    return with_facts(result, trace=replace(result.trace, violations=(fault,)))


@pytest.fixture
def view(qtbot: QtBot, store: Store, appearance: Appearance) -> Iterator[MappingView]:
    made = MappingView(store, appearance)
    made.set_reduced_motion(True)
    qtbot.addWidget(made)
    made.resize(872, 486)
    made.show()
    yield made
    made.playback.pause()


def test_the_first_stray_of_each_place_is_known(example: Run) -> None:
    (stray,) = strays(of_result(with_stray(example, 1000), "c"))
    assert (stray.index, stray.thread) == (1000, CULPRIT)


def test_strays_of_the_kept_block_are_known_one_by_one(example: Run) -> None:
    result = with_stray(example, 1000)
    assert result.trace is not None
    assert result.trace.block is not None
    trace = result.trace.block
    moved = np.where(trace.array == trace.arrays.index("c"), trace.element + 600, trace.element)
    result = with_facts(result, trace=replace(result.trace, block=replace(trace, element=moved)))
    found = strays(of_result(result, "c"))
    assert {one.index for one in found} == {1000, *(int(i) for i in moved if i >= 1000)}


@pytest.mark.parametrize(("index", "words"), [(1000, "past the end"), (-3, "before the start")])
def test_a_stray_is_drawn_beside_the_array_and_followed(
    index: int, words: str, view: MappingView, store: Store, example: Run, qtbot: QtBot
) -> None:
    store.change(sizes={"n": 1000})
    store.set_run(with_stray(example, index))
    view.playback.move(0.0)
    pane = view.canvas._ensured().data
    side = pane.past if index > 0 else pane.before
    (cell,) = [rect for _stray, rect in side._cells]
    assert not cell.intersects(pane.cells)
    view.canvas.grab()
    assert view.canvas.at(cell.center()) is None
    view.playback.move(view.playback.duration_s)
    view.canvas.grab()
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=cell.center().toPoint())
    assert store.selected_thread is not None
    assert store.selected_thread.thread == CULPRIT
    assert words in out_of_bounds_tip(view.model, index)
