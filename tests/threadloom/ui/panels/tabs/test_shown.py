# SPDX-License-Identifier: MIT
from __future__ import annotations

from types import ModuleType

from pytestqt.qtbot import QtBot

from threadloom.model.run import Run
from threadloom.ui.panels.tabs.shown import shown_run
from threadloom.ui.panels.tabs.tabs import Tabs
from threadloom.ui.panels.timings.timings import TimingsPane
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance


def timed(result: Run) -> bool:
    return bool(result.timings)


def test_the_last_run_is_not_old(store: Store, results: ModuleType) -> None:
    assert shown_run(store, timed) is None
    store.set_run(results.vector_run(1_000))
    shown = shown_run(store, timed)
    assert shown is not None
    assert (shown.record.number, shown.old, shown.marks) == (1, False, ())


def test_a_run_without_figures_leaves_the_one_before(store: Store, results: ModuleType) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_run(results.refused_run())
    shown = shown_run(store, timed)
    assert shown is not None
    assert (shown.record.number, shown.old) == (1, True)
    assert [mark.text for mark in shown.marks] == ["from run 1"]


def test_a_change_makes_a_run_old_only_where_no_run_follows(
    store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_stale(True)
    shown = shown_run(store, timed)
    assert shown is not None
    assert not shown.old
    store.change(live=False)
    shown = shown_run(store, timed)
    assert shown is not None
    assert shown.old


def test_a_run_of_another_operation_is_not_shown(store: Store, results: ModuleType) -> None:
    store.set_run(results.tiled_run())
    store.set_run(results.refused_run())
    assert shown_run(store, timed) is None


def test_tabs_dim_and_name_an_old_run(
    qtbot: QtBot, store: Store, appearance: Appearance, results: ModuleType
) -> None:
    tabs = Tabs(store, appearance)
    qtbot.addWidget(tabs)
    store.set_run(results.vector_run(1_000))
    store.set_run(results.refused_run())
    for view in (View.TIMINGS, View.MEMORY, View.TIMELINE):
        assert tabs.panes[view].header.marks[-1].text == "from run 1", view
    pane = tabs.panes[View.TIMINGS]
    assert isinstance(pane, TimingsPane)
    figure = pane.run_side.last_run.figure
    assert figure is not None
    assert figure.faded
    assert pane.run_side._title.text() == "Run 1, n = 1,000"


def test_a_run_is_old_once_the_next_one_has_failed(store: Store, results: ModuleType) -> None:
    store.set_run(results.vector_run(1_000))
    store.set_stale(True)
    store.set_failure("n must be at least 1.")
    shown = shown_run(store, timed)
    assert shown is not None
    assert [mark.text for mark in shown.marks] == ["from run 1"]
