# SPDX-License-Identifier: MIT
"""The tabs over runs and a sweep that were really made, by the emulator and on this CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.model.launch import ThreadId
from threadloom.model.message import Message
from threadloom.model.run import Run
from threadloom.model.timing.samples import Series, StoppingCriterion
from threadloom.services.dispatcher import Executor
from threadloom.services.export import read_csv
from threadloom.services.export.write import write_csv
from threadloom.services.messages.run import RunRequest
from threadloom.services.messages.sweep import SweepRequest, SweepResult
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.figures.pages.export import export
from threadloom.ui.panels.memory.memory import MemoryPane
from threadloom.ui.panels.runs.runs import RunsPane
from threadloom.ui.panels.tabs.tabs import Tabs
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance

QUICK = StoppingCriterion(min_samples=2, max_samples=3, time_limit_s=0.02)


class Alone:
    """What a request is handled with where nobody waits elsewhere."""

    cancelled = False

    def progress(self, message: object) -> None:
        """Not needed here."""

    def check(self) -> None:
        """Nobody stops it."""

    def extend_deadline(self, seconds: float | None = None) -> None:
        """There is no deadline."""

    def recycle(self) -> None:
        """There is no child."""


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


@pytest.fixture
def tabs(qtbot: QtBot, store: Store, appearance: Appearance) -> Tabs:
    made = Tabs(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 340)
    made.show()
    return made


def run(executor: Executor, workspace: Workspace, block: Dim3) -> Run:
    result = executor.answer(RunRequest(workspace.job(), block=block, rule=QUICK), Alone())
    assert isinstance(result, Run)
    return result


def test_a_matrix_product_is_read_by_lines_and_by_banks(
    tabs: Tabs, store: Store, executor: Executor
) -> None:
    workspace = Workspace(
        operation="matmul",
        variant="shared_tile",
        sizes={"m": 64, "n": 64, "k": 64},
        block=Dim3(16, 16),
        engine=EngineChoice.EMULATOR,
    )
    store.set_workspace(workspace)
    store.set_run(run(executor, workspace, Dim3(1, 2, 0)))
    store.select_thread(ThreadId(Dim3(1, 2, 0), Dim3(9, 3, 0)))
    pane = tabs.panes[View.MEMORY]
    assert isinstance(pane, MemoryPane)
    rows = pane.model.rows
    assert {row.kind for row in rows} == {
        "global read, reuse 4×",
        "global write",
        "shared read",
        "shared write",
    }
    assert all(row.good for row in rows)
    number = [row.code for row in rows].index("A[row * k + t + tx]")
    pane.list.setCurrentIndex(pane.model.index(number))
    figure = pane.view.figure
    assert figure is not None
    assert figure.heading == "Warp 1 of block (1, 2), line 22"
    assert figure.lane == 25
    assert figure.access.element[0] == (2 * 16 + 2) * 64
    assert (figure.access.sectors.size, figure.access.lines.size) == (4, 2)


def test_a_run_shows_in_every_tab(tabs: Tabs, store: Store, executor: Executor) -> None:
    workspace = Workspace(sizes={"n": 5_000}, engine=EngineChoice.EMULATOR)
    store.set_workspace(workspace)
    store.set_run(run(executor, workspace, Dim3(2, 0, 0)))
    assert all(tabs.panes[view].header.caption for view in View)
    runs = tabs.panes[View.RUNS]
    assert isinstance(runs, RunsPane)
    cells = [runs.model.index(0, column).data() for column in range(runs.model.columnCount())]
    assert cells[1:4] == ["Vector add, Blocks in a grid", "<<<20, 256>>>", "5,000"]
    assert "matches" in cells


def test_an_uncovered_launch_and_a_refused_one_say_so(
    tabs: Tabs, store: Store, executor: Executor
) -> None:
    short = Workspace(
        sizes={"n": 1_024}, grid=Dim3(2), grid_follows_size=False, engine=EngineChoice.EMULATOR
    )
    store.set_run(run(executor, short, Dim3(0, 0, 0)))
    store.set_run(run(executor, short.with_(block=Dim3(2_048)), Dim3(0, 0, 0)))
    runs = tabs.panes[View.RUNS]
    assert isinstance(runs, RunsPane)
    column = [
        runs.model.headerData(c, runs.table.horizontalHeader().orientation()) for c in range(9)
    ]
    check = column.index("Check")
    assert [runs.model.index(row, check).data() for row in (0, 1)] == [
        "not launched",
        "50 % covered",
    ]


def _read_back(series: Series) -> Series:
    """With its texts as they are written: in English, without the values of their placeholders."""
    label, baseline = (Message(text.english()) for text in (series.label, series.baseline))
    return replace(series, label=label, baseline=baseline)


def test_a_sweep_is_shown_exported_and_read_back(
    tabs: Tabs, store: Store, executor: Executor, tmp_path: Path
) -> None:
    workspace = Workspace(engine=EngineChoice.EMULATOR)
    request = SweepRequest(workspace.job(), (256, 1_024, 4_096), QUICK)
    sweep = executor.answer(request, Alone())
    assert isinstance(sweep, SweepResult)
    store.set_workspace(workspace)
    store.set_sweep(sweep)
    store.set_maximized(True)
    assert tabs.panes[View.TIMINGS].header.figure == "sweep"
    for ending in ("png", "svg", "pdf"):
        export(sweep, tmp_path / f"a.{ending}")
    write_csv(sweep, tmp_path / "a.csv")
    back = read_csv(tmp_path / "a.csv")
    assert isinstance(back, SweepResult)
    assert back.series == tuple(_read_back(series) for series in sweep.series)
