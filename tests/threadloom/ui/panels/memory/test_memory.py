# SPDX-License-Identifier: MIT
from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.trace import AccessKind, Atomics, Site, Space
from threadloom.presentation.access.site_text import details
from threadloom.ui.panels.memory.memory import MemoryPane
from threadloom.ui.panels.memory.site_list import site_row
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def pane(qtbot: QtBot, store: Store, appearance: Appearance) -> MemoryPane:
    made = MemoryPane(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 306)
    made.show()
    return made


def site(space: Space, **counters: Any) -> Site:
    return Site(1, None, AccessKind.READ, space, "a", **counters)


def test_a_row_says_what_an_access_costs() -> None:
    good = site_row(site(Space.GLOBAL, requests=8, sectors=32, ideal_sectors=32), ["x = a[i];"])
    assert (good.code, good.kind, good.cost, good.good) == ("a[i]", "global read", "4 of 4", True)
    bad = site_row(site(Space.GLOBAL, requests=1, sectors=32, ideal_sectors=4), [])
    assert (bad.cost, bad.good) == ("32 of 4", False)
    free = site_row(site(Space.SHARED, requests=4), [])
    assert (free.cost, free.good) == ("1 wavefront", True)
    conflict = site_row(site(Space.SHARED, requests=4, bank_conflicts=124), [])
    assert (conflict.cost, conflict.good) == ("32 wavefronts", False)


def test_shows_the_warp_of_the_followed_thread(
    pane: MemoryPane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000, block=2))
    assert [row.code for row in pane.model.rows] == ["a[i]", "b[i]", "c[i] ="]
    store.select_thread(ThreadId(Dim3(2, 0, 0), Dim3(37, 0, 0)))
    figure = pane.view.figure
    assert figure is not None
    assert figure.heading == "Warp 1 of block 2, line 13"
    assert figure.lane == 5
    assert figure.access.element[0] == 2 * 256 + 32
    told = [(one.title, one.value) for one in figure.key_figures()]
    assert told == [
        ("Sectors per request", "4"),
        ("Bytes moved", "128 B"),
        ("Bytes used", "100 %"),
        ("128-byte lines", "1"),
    ]


def test_a_two_dimensional_block_is_named_by_both_coordinates(
    pane: MemoryPane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.tiled_run())
    store.select_thread(ThreadId(Dim3(12, 5, 0), Dim3(9, 3, 0)))
    figure = pane.view.figure
    assert figure is not None
    assert figure.heading == "Warp 1 of block (12, 5), line 22"
    assert figure.access.lines.size == 2
    assert pane.stepper.isVisible()
    pane._step(1)
    assert pane.view.figure is not None
    moved = pane.view.figure.access.element - figure.access.element
    assert set(moved.tolist()) == {16}


def test_a_click_on_a_lane_follows_its_thread(
    pane: MemoryPane, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_run(results.vector_run(1_000, block=2))
    figure = pane.view.figure
    assert figure is not None
    spot = figure.lane_rects(pane.view._box())[7].center()
    at = QPoint(round(spot.x()), round(spot.y()))
    with qtbot.waitSignal(store.selected_thread_changed):
        qtbot.mouseClick(pane.view, Qt.MouseButton.LeftButton, pos=at)
    assert store.selected_thread is not None
    assert store.selected_thread.thread == ThreadId(Dim3(2, 0, 0), Dim3(7, 0, 0))


def test_says_why_there_is_nothing(pane: MemoryPane, store: Store, results: ModuleType) -> None:
    assert pane.view._empty == "Press F5 to run"
    store.set_run(results.refused_run())
    assert pane.view._empty == "This run was not observed"
    assert pane.header.figure == ""


def test_reuse_stands_beside_the_kind() -> None:
    once = site(Space.GLOBAL, requests=1, requested_bytes=128, distinct_bytes=128)
    often = site(Space.GLOBAL, requests=9, requested_bytes=4096, distinct_bytes=256)
    assert (site_row(once, []).kind, details(often)) == (
        "global read",
        "The lanes request 4,096 bytes, 256 of them distinct: reuse 16× on average.",
    )
    assert site_row(often, []).kind == "global read, reuse 16×"


def test_atomics_tell_the_address_that_has_the_most() -> None:
    seen = Atomics(45, 1040, 1812, "bins", 1003, 7)
    atomic = Site(1, None, AccessKind.ATOMIC, Space.SHARED, "bins", 10, atomics=seen)
    assert site_row(atomic, []).kind == "shared atomic, up to 1,812"
    assert details(atomic).splitlines() == [
        "The atomics update 1,040 addresses.",
        "Highest contention: bins[1,003] of block 7, 1,812 updates.",
        "45 of them share their address with another lane of the warp.",
    ]
    unknown = Site(1, None, AccessKind.ATOMIC, Space.GLOBAL, "bins", 10, atomics=Atomics(45))
    assert site_row(unknown, []).kind == "global atomic"
    assert "not recorded" in details(unknown)
