# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Fix, Verdict, Where
from threadloom.model.message import literal
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.presentation.findings_text import summary
from threadloom.ui.panels.findings.findings_panel import FindingsPanel
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance

STOPS = Finding("a", Severity.ERROR, literal("no"), verdict=Verdict.LAUNCH_ERROR)
ERROR = Finding("b", Severity.ERROR, literal("bad"))
WARNING = Finding("c", Severity.WARNING, literal("look"))
NOTE = Finding("d", Severity.NOTE, literal("idea"))
PASSED = Finding("e", Severity.PASSED, literal("good"))


@pytest.mark.parametrize(
    ("findings", "chip"),
    [
        ((), ("", "neutral")),
        ((PASSED,), ("all passed", "ok")),
        ((NOTE, PASSED), ("1 suggestion", "info")),
        ((WARNING, NOTE), ("1 warning", "warn")),
        ((WARNING, WARNING, NOTE), ("2 warnings", "warn")),
        ((ERROR, WARNING), ("1 error", "error")),
        ((STOPS, ERROR, WARNING), ("1 stops the launch", "error")),
        ((STOPS, STOPS), ("2 stop the launch", "error")),
    ],
)
def test_summary(findings: tuple[Finding, ...], chip: tuple[str, str]) -> None:
    assert summary(findings) == chip


@pytest.fixture
def panel(qtbot: QtBot, store: Store, appearance: Appearance) -> FindingsPanel:
    store.change(block=Dim3(500_000))
    made = FindingsPanel(store, appearance)
    qtbot.addWidget(made)
    made.resize(304, 400)
    made.show()
    return made


def test_a_refused_launch_is_said_at_once_with_one_primary_button(panel: FindingsPanel) -> None:
    first = panel.rows[0].finding
    assert (
        str(first.message) == "Block too large: 500,000 threads, this device allows 1,024 per block"
    )
    assert panel.chip.text() == "1 stops the launch"
    looks = [button._look for row in panel.rows for button in row.buttons]
    assert looks.count("primary") == 1
    assert panel.rows[0].buttons[0]._look == "primary"


def test_a_fix_is_asked_for(qtbot: QtBot, store: Store, panel: FindingsPanel) -> None:
    with qtbot.waitSignal(store.fix_requested) as told:
        qtbot.mouseClick(panel.rows[0].buttons[0], Qt.MouseButton.LeftButton)
    assert isinstance(told.args[0], Fix)
    assert told.args[0].block is not None


def test_f8_walks_and_alt_enter_mends(qtbot: QtBot, store: Store, panel: FindingsPanel) -> None:
    panel.next_finding()
    assert panel.rows[0].hasFocus()
    with qtbot.waitSignal(store.fix_requested):
        panel.apply_first_fix()


def test_show_goes_to_the_line_and_pins_the_thread(
    qtbot: QtBot, store: Store, panel: FindingsPanel
) -> None:
    where = Where(line=6, block=Dim3(2, 0, 0), thread=Dim3(5, 0, 0))
    finding = Finding("f", Severity.WARNING, literal("there"), where=where)
    panel._rebuild((finding,))
    signals = [store.view_requested, store.line_requested]
    with qtbot.waitSignals(signals):
        qtbot.mouseClick(panel.rows[0].buttons[0], Qt.MouseButton.LeftButton)
    assert store.selected_thread is not None
    assert store.selected_thread.pinned
    assert store.selected_thread.thread.thread == Dim3(5, 0, 0)


def test_a_finding_tells_its_severity_to_screen_readers(panel: FindingsPanel) -> None:
    assert panel.rows[0].accessibleName().startswith("Error: Block too large")


def test_show_goes_to_an_element_that_nobody_wrote(
    qtbot: QtBot, store: Store, panel: FindingsPanel, vector_run: Callable[..., Run]
) -> None:
    store.change(sizes={"n": 1000}, block=Dim3(256), grid=Dim3(3), grid_follows_size=False)
    store.set_run(vector_run(1000, grid=3))
    where = Where(array="c", index=768)
    panel._rebuild((Finding("f", Severity.WARNING, literal("232 are never written"), where=where),))
    with qtbot.waitSignal(panel.element_shown) as told:
        qtbot.mouseClick(panel.rows[0].buttons[0], Qt.MouseButton.LeftButton)
    assert told.args == ["c", 768]
    written = Where(array="c", index=5)
    panel._rebuild((Finding("f", Severity.WARNING, literal("there"), where=written),))
    with qtbot.assertNotEmitted(panel.element_shown):
        qtbot.mouseClick(panel.rows[0].buttons[0], Qt.MouseButton.LeftButton)
    assert store.selected_thread is not None


def test_a_changed_launch_without_findings_asks_for_a_run(
    qtbot: QtBot,
    store: Store,
    appearance: Appearance,
    vector_run: Callable[..., Run],
) -> None:
    panel = FindingsPanel(store, appearance)
    qtbot.addWidget(panel)
    assert panel._empty.text() == "Findings appear here after the first run."
    store.set_run(vector_run(1_000))
    store.set_stale(True)
    assert not panel.rows
    assert panel._empty.text() == "Not checked yet. Press F5 to run."


def test_findings_of_an_old_run_do_not_stand_beside_a_failure(
    qtbot: QtBot,
    store: Store,
    appearance: Appearance,
    vector_run: Callable[..., Run],
) -> None:
    store.set_run(vector_run(1000))
    panel = FindingsPanel(store, appearance)
    qtbot.addWidget(panel)
    of_the_run = [row.finding for row in panel.rows]
    store.set_stale(True)
    assert [row.finding for row in panel.rows] == of_the_run  # another run is on its way
    store.set_failure("n must be at least 1.")
    assert all(row.finding not in of_the_run for row in panel.rows)
    store.set_failure("")
    assert [row.finding for row in panel.rows] == of_the_run
