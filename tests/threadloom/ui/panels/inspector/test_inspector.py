# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.ui.panels.inspector.inspector import Inspector
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance

VectorRun = Callable[..., Run]
THREAD = ThreadId(Dim3(2, 0, 0), Dim3(37, 0, 0))


@pytest.fixture
def inspector(qtbot: QtBot, store: Store, appearance: Appearance) -> Inspector:
    made = Inspector(store, appearance)
    qtbot.addWidget(made)
    made.resize(264, 840)
    made.show()
    return made


@pytest.fixture
def shown(inspector: Inspector, store: Store, vector_run: VectorRun) -> Inspector:
    store.change(sizes={"n": 1000})
    store.set_run(vector_run(1000, traced=2))
    store.select_thread(THREAD, pinned=True)
    return inspector


def test_tells_who_the_thread_is(shown: Inspector) -> None:
    facts = dict(shown.thread_page.facts.texts())
    assert facts["Block"] == "(2, 0, 0)"
    assert facts["Thread"] == "(37, 0, 0)"
    assert facts["Warp, lane"] == "warp 1, lane 5"
    assert facts["Global index"] == "549"
    assert facts["Ran on"] == "SM 2, wave 1"
    assert facts["Finished"] == "4 µs"


def test_tells_what_the_thread_read_and_wrote(shown: Inspector) -> None:
    rows = shown.thread_page.table.accesses.rows
    assert [(row.verb, row.element, row.value) for row in rows] == [
        ("read", "a[549]", "549.0000"),
        ("read", "b[549]", "68.6250"),
        ("write", "c[549]", "617.6250"),
    ]
    assert rows[0].address == "…00894"
    assert rows[2].writes


def test_tells_what_numpy_has(shown: Inspector) -> None:
    assert shown.thread_page._verdict.text() == "NumPy: 617.6250, difference 0"


def test_sets_the_line_of_code_off(shown: Inspector, store: Store) -> None:
    assert store.run is not None
    line = shown.thread_page.code.marked
    assert "c[i] = a[i] + b[i]" in store.run.source.splitlines()[line - 1]


def test_a_click_on_a_line_leads_to_the_source(
    shown: Inspector, store: Store, qtbot: QtBot
) -> None:
    with qtbot.waitSignals([store.view_requested, store.line_requested]):
        qtbot.mouseClick(shown.thread_page.code, Qt.MouseButton.LeftButton)


def test_tells_what_the_lanes_beside_wrote(shown: Inspector) -> None:
    assert shown.thread_page.beside.texts() == [
        ("Lane 4 writes", "c[548]"),
        ("Lane 6 writes", "c[550]"),
    ]


def test_next_thread_goes_on_into_the_next_block(
    shown: Inspector, store: Store, qtbot: QtBot
) -> None:
    store.select_thread(ThreadId(Dim3(1, 0, 0), Dim3(255, 0, 0)), pinned=True)
    qtbot.mouseClick(shown.next, Qt.MouseButton.LeftButton)
    assert store.selected_thread is not None
    assert store.selected_thread.thread == ThreadId(Dim3(2, 0, 0), Dim3(0, 0, 0))
    qtbot.mouseClick(shown.previous, Qt.MouseButton.LeftButton)
    assert store.selected_thread.thread == ThreadId(Dim3(1, 0, 0), Dim3(255, 0, 0))


def test_an_unseen_block_is_asked_for_and_what_is_known_is_told(
    shown: Inspector, store: Store, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(shown.block_trace_requested) as asked:
        store.select_thread(ThreadId(Dim3(0, 0, 0), Dim3(3, 0, 0)))
    assert asked.args == [Dim3(0, 0, 0)]
    assert dict(shown.thread_page.facts.texts())["Global index"] == "3"
    assert not shown.thread_page.table.accesses.rows


def test_a_thread_past_the_end_touched_nothing(
    shown: Inspector, store: Store, vector_run: VectorRun
) -> None:
    store.set_run(vector_run(1000, traced=3))
    store.select_thread(ThreadId(Dim3(3, 0, 0), Dim3(250, 0, 0)), pinned=True)
    assert "guard" in shown.thread_page._waiting.text()
    assert not shown.thread_page.strip._lockstep.active.any()  # type: ignore[union-attr]


def test_a_warp_that_the_guard_splits_diverges(
    shown: Inspector, store: Store, vector_run: VectorRun
) -> None:
    store.set_run(vector_run(1000, traced=3))
    store.select_thread(ThreadId(Dim3(3, 0, 0), Dim3(230, 0, 0)), pinned=True)
    assert shown.thread_page._lanes.text() == "8 of 32 lanes active, 1 divergent line"


def test_beside_the_timeline_the_block_is_told_about(shown: Inspector, store: Store) -> None:
    store.view_requested.emit(View.TIMELINE)
    assert shown.pages.currentIndex() == 1
    facts = dict(shown.block_page.facts.texts())
    assert facts["Duration"] == "4 µs"
    store.view_requested.emit(View.MEMORY)
    assert shown.pages.currentIndex() == 0


def test_without_a_thread_the_launch_is_told_about(shown: Inspector, store: Store) -> None:
    store.select_thread(None)
    facts = dict(shown.block_page.launch.texts())
    assert facts["Blocks"] == "4"
    assert facts["Kernel time"] == "4 µs"
    assert dict(shown.block_page.data.texts())["Written"] == "1,000 of 1,000"


def test_closing_lets_go(shown: Inspector, store: Store, qtbot: QtBot) -> None:
    qtbot.mouseClick(shown.close_button, Qt.MouseButton.LeftButton)
    assert store.selected_thread is None


def test_a_refused_launch_is_explained_and_mended(
    inspector: Inspector, store: Store, qtbot: QtBot
) -> None:
    store.change(variant="one_block", sizes={"n": 500_000}, block=Dim3(500_000), grid=Dim3(1))
    page = inspector.refused_page
    assert inspector.pages.currentIndex() == 2
    facts = dict(page.facts.texts())
    assert facts["Requested"] == "1 block × 500,000"
    assert facts["Device limit"] == "1,024 per block"
    assert facts["Warps per block"] == "15,625, limit 32"
    assert page.said.text() == "cuFuncSetBlockShape failed: invalid argument"
    assert page.line.text() == "vec_add<<<1954, 256>>>(…);"
    assert dict(page.after.texts())["Past the end"] == "224 (0.04 %)"
    with qtbot.waitSignal(store.fix_requested) as asked:
        qtbot.mouseClick(page.apply, Qt.MouseButton.LeftButton)
    assert asked.args[0].block == Dim3(256)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"grid": Dim3(1, 70_000), "grid_follows_size": False}, "16"),
        ({"shared_bytes": 1_000_000}, "shared memory"),
        ({"block": Dim3(0)}, "below 1"),
    ],
)
def test_every_kind_of_refusal_has_its_reason(
    inspector: Inspector, store: Store, change: dict[str, object], word: str
) -> None:
    store.change(**change)
    assert inspector.pages.currentIndex() == 2
    assert word in inspector.refused_page._reason.text()
