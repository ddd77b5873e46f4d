# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from tests.run_records import with_facts

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.model.trace import Branch
from threadloom.presentation.inspector.source_details import (
    argument_rows,
    branch_facts,
    kernel_facts,
)
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


def test_arguments_are_told_with_what_fills_them(store: Store) -> None:
    store.change(sizes={"n": 1000})
    assert store.launch_preview is not None
    assert argument_rows(store.launch_preview) == [
        ("a", "real *", "input, 1,000"),
        ("b", "real *", "input, 1,000"),
        ("c", "real *", "output, 1,000"),
        ("n", "int", "1,000"),
    ]


def test_a_source_without_a_kernel_says_so(store: Store) -> None:
    store.change(source="int x;\n")
    assert store.launch_preview is not None
    (fact,) = kernel_facts(store.launch_preview)
    assert fact.tone == "error"
    assert argument_rows(store.launch_preview) == []


def test_branches_of_one_line_are_told_together() -> None:
    branches = (Branch(3, 5, 100, 40), Branch(3, 12, 50, 0), Branch(8, 9, 2000, 1))
    facts = branch_facts(branches)
    assert [(f.name, f.value, f.tone) for f in facts] == [
        ("Line 3", "40 of 150", "warn"),
        ("Line 8", "1 of 2,000", "text"),
    ]


def test_where_lanes_parted_is_told_until_the_source_changes(
    inspector: Inspector, store: Store, vector_run: VectorRun
) -> None:
    store.view_requested.emit(View.SOURCE)
    store.change(sizes={"n": 1000})
    run = vector_run(1000, traced=2)
    assert run.trace is not None
    trace = replace(run.trace, branches=(Branch(12, 9, 32, 1),))
    store.set_run(with_facts(run, trace=trace))
    assert inspector.source_page.branches.texts() == [("Line 12", "1 of 32")]
    store.set_stale(True)
    assert inspector.source_page.branches.texts() == []


def test_beside_the_source_the_panel_tells_of_it(
    inspector: Inspector, store: Store, vector_run: VectorRun
) -> None:
    store.view_requested.emit(View.SOURCE)
    assert inspector.title.text() == "Source"
    assert dict(inspector.source_page.kernel.texts())["Name"] == "vec_add"
    assert inspector.source_page.reference.text() == "c[i] = a[i] + b[i]"
    store.change(sizes={"n": 1000})
    store.set_run(vector_run(1000, traced=2))
    store.select_thread(THREAD, pinned=True)
    assert inspector.pages.currentIndex() == 0
    store.select_thread(None)
    assert inspector.source_page.isVisible()
    store.view_requested.emit(View.MEMORY)
    assert not inspector.source_page.isVisible()
