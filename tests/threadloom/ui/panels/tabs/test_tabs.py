# SPDX-License-Identifier: MIT
from __future__ import annotations

from types import ModuleType

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from threadloom.ui.panels.tabs.tabs import ROWS, Tabs
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance, Theme


@pytest.fixture
def tabs(qtbot: QtBot, store: Store, appearance: Appearance) -> Tabs:
    made = Tabs(store, appearance)
    qtbot.addWidget(made)
    made.resize(870, 340)
    return made


def test_there_is_a_tab_for_every_view() -> None:
    assert [row.view for row in ROWS] == list(View)


def test_a_view_that_is_asked_for_comes_forward(tabs: Tabs, store: Store) -> None:
    for view in View:
        store.view_requested.emit(view)
        assert tabs.view is view
    store.line_requested.emit(3)
    assert tabs.view.value == "source"


def test_the_bar_says_where_the_figures_come_from(
    tabs: Tabs, store: Store, results: ModuleType
) -> None:
    store.set_run(results.vector_run(10_000))
    marks = {view: [m.text for m in tabs.panes[view].header.marks] for view in View}
    assert marks[View.TIMINGS] == ["measured", "modeled"]
    assert marks[View.MEMORY] == ["emulated"]
    assert marks[View.TIMELINE] == ["modeled"]
    assert tabs.panes[View.TIMINGS].header.caption == "Run 1, warm, median of 5"


def test_the_buttons_ask_for_export_and_room(
    tabs: Tabs, store: Store, results: ModuleType, qtbot: QtBot
) -> None:
    store.set_run(results.vector_run(10_000))
    store.view_requested.emit(View.TIMELINE)
    with qtbot.waitSignal(store.export_requested) as asked:
        tabs._export.click()
    assert asked.args == ["timeline"]
    with qtbot.waitSignal(tabs.maximize_requested):
        tabs._maximize.click()


def test_copies_the_figure_that_is_shown(tabs: Tabs, store: Store, results: ModuleType) -> None:
    store.set_run(results.vector_run(10_000))
    for view in (View.TIMINGS, View.MEMORY, View.TIMELINE):
        QGuiApplication.clipboard().clear()
        tabs.show_view(view)
        tabs.copy_figure()
        assert QGuiApplication.clipboard().image().width() == 1260


@pytest.mark.parametrize("size", [(816, 200), (870, 340), (1136, 770)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_tab_paints_at_every_size(
    tabs: Tabs,
    store: Store,
    results: ModuleType,
    appearance: Appearance,
    size: tuple[int, int],
    theme: str,
) -> None:
    appearance.set_theme(Theme.load(theme))
    store.set_run(results.vector_run(1_000_000))
    store.set_sweep(results.sweep())
    tabs.resize(*size)
    tabs.show()
    for maximized in (False, True):
        store.set_maximized(maximized)
        for view in View:
            tabs.show_view(view)
            image = tabs.grab().toImage()
            colors = {
                image.pixel(x, y)
                for x in range(0, image.width(), 3)
                for y in range(40, image.height(), 3)
            }
            assert len(colors) > 8, view
