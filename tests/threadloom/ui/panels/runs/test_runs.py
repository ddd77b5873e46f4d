# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.run_records import with_facts

from threadloom.model.comparison import Comparison
from threadloom.model.dim3 import Dim3
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.timing.samples import SeriesKey
from threadloom.presentation.bench.run_comparison_text import comparison_words
from threadloom.text import duration
from threadloom.ui.panels.runs.run_table import check_cell, launch_words
from threadloom.ui.panels.runs.runs import RunsPane
from threadloom.ui.state.store import RunRecord, Store
from threadloom.ui.theme.theme import Appearance


@pytest.fixture
def pane(qtbot: QtBot, store: Store, appearance: Appearance) -> RunsPane:
    made = RunsPane(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 306)
    made.show()
    return made


def select(pane: RunsPane, *rows: int) -> None:
    model = pane.table.selectionModel()
    model.clear()
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in rows:
        model.select(pane.model.index(row, 0), flags)


def timed(results: ModuleType, seconds: float, spread: float = 0.02, n: int = 1_000) -> Run:
    run: Run = results.vector_run(n, source=Provenance.MEASURED)
    kernel = results.timing(
        SeriesKey.KERNEL,
        "Kernel",
        results.samples(seconds, spread=spread, runs=9),
        Provenance.MEASURED,
    )
    return with_facts(run, timings=(kernel,))


def test_the_newest_run_is_on_top(pane: RunsPane, store: Store, results: ModuleType) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_run(results.vector_run(1_000_000))
    cells = [pane.model.index(0, column).data() for column in range(pane.model.columnCount())]
    assert cells[:4] == ["2", "Vector add, Blocks in a grid", "<<<3907, 256>>>", "1,000,000"]
    assert cells[6:] == ["modeled", "matches", "RTX 4090"]
    assert pane.header.caption == "2 runs in this session"


def test_says_how_a_run_came_out(results: ModuleType) -> None:
    good = results.vector_run(1_000)
    assert check_cell(RunRecord(1, good), None).text == "matches"
    assert check_cell(RunRecord(1, results.refused_run()), None).text == "not launched"
    wrong = with_facts(good, comparisons=(Comparison("c", 1_000, 12, 1.0, 0.1),))
    assert check_cell(RunRecord(1, wrong), None).text == "12 differ"
    coverage = good.trace.coverage["c"]
    writes = coverage.writes.copy()
    writes[2:] = 0
    missed = replace(good.trace, coverage={"c": replace(coverage, writes=writes)})
    cell = check_cell(RunRecord(1, with_facts(good, trace=missed)), None)
    assert (cell.text, cell.tone) == ("0.2 % covered", "warn")


def test_launches_read_as_code(results: ModuleType) -> None:
    assert launch_words(results.tiled_run()) == "<<<(32, 32), (16, 16)>>>"
    assert launch_words(results.refused_run()) == "<<<1, 500000>>>"


def test_a_double_click_goes_back_to_a_launch(
    pane: RunsPane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.refused_run())
    store.set_run(results.vector_run(1_000))
    assert store.workspace.block == Dim3(256)
    pane.table.doubleClicked.emit(pane.model.index(1, 0))
    workspace = store.workspace
    assert (workspace.variant, workspace.block, workspace.grid) == (
        "one_block",
        Dim3(500_000),
        Dim3(1),
    )
    assert not workspace.grid_follows_size
    assert workspace.job() == results.refused_run().job


def test_the_button_goes_back_to_the_selected_run(
    pane: RunsPane, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(4_096))
    select(pane, 0)
    assert pane.restore.isEnabled()
    pane.restore.click()
    assert store.workspace.sizes == {"n": 4_096}


def test_two_runs_are_compared_by_their_ranges(results: ModuleType) -> None:
    first, second = RunRecord(1, timed(results, 2e-6)), RunRecord(2, timed(results, 1e-6))
    assert comparison_words(first, second) == (
        "The kernel of run 1 is 2× slower than of run 2 (2 µs and 1 µs)."
    )
    assert "run 2 is 2× faster than of run 1" in comparison_words(second, first)
    near = RunRecord(3, timed(results, 1.01e-6, spread=0.1))
    assert comparison_words(second, near).startswith("Runs 2 and 3: inconclusive")


def test_what_cannot_be_compared_is_not(results: ModuleType) -> None:
    measured = RunRecord(1, timed(results, 2e-6))
    modeled = RunRecord(2, results.vector_run(1_000))
    assert comparison_words(measured, modeled) == (
        "Run 1 is measured, run 2 modeled: their times cannot be compared."
    )
    untimed = RunRecord(3, results.refused_run())
    assert comparison_words(measured, untimed) == "Run 3 has no kernel time."
    larger = RunRecord(4, timed(results, 4e-6, n=2_000))
    assert "have different sizes" in comparison_words(measured, larger)


def test_selecting_two_shows_the_comparison(
    pane: RunsPane, store: Store, results: ModuleType
) -> None:
    store.set_run(timed(results, 2e-6))
    store.set_run(timed(results, 1e-6))
    select(pane, 0, 1)
    assert pane._words.text().startswith("The kernel of run 2 is 2× faster")
    assert not pane.restore.isEnabled()


def test_the_table_is_copied_with_tabs(pane: RunsPane, store: Store, results: ModuleType) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_run(results.refused_run())
    pane.copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Run\tOperation\tLaunch\tSize")
    assert [line.split("\t")[0] for line in lines[1:]] == ["2", "1"]


def test_of_cold_and_warm_the_table_shows_what_the_bars_show(
    pane: RunsPane, store: Store, recorded: ModuleType
) -> None:
    run = recorded.run_without_breakdown()
    store.set_run(run)
    assert run.kernel_times is not None
    assert pane.model.index(0, 4).data() == duration(run.kernel_times.warm.median_s)


def test_two_runs_are_compared_time_by_time(
    pane: RunsPane, store: Store, results: ModuleType
) -> None:
    store.set_run(timed(results, 2e-6))
    store.set_run(timed(results, 1e-6))
    assert not pane.comparison.isVisible()
    select(pane, 0, 1)
    assert pane.comparison.isVisible()
    assert pane.comparison.rows == [("Kernel", "1 µs", "2 µs", "2× faster (1.97× to 2.03×)")]
    select(pane, 0)
    assert not pane.comparison.isVisible()
