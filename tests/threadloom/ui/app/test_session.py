# SPDX-License-Identifier: MIT
"""The whole window with the real worker and the real emulator."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.model.launch import ThreadId
from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import SeriesKey
from threadloom.services.bench.launch_choices import LINE
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.session import Session
from threadloom.ui.shell.banner import Banner
from threadloom.ui.state.store import Activity, Over, Store, View

LIMIT_MS = 60_000
"""How long any step may take on a busy machine before a test gives up."""


SMALL = Workspace(
    sizes={"n": 64}, block=Dim3(16), grid=Dim3(4), engine=EngineChoice.EMULATOR, live=False
)

ENDLESS = """
__global__ void vec_add(const float *a, const float *b, float *c, int n) {
    volatile int turns = 1;
    while (turns) { turns = turns | 1; }
    c[0] = a[0] + b[0];
}
"""
WILD = """
__global__ void vec_add(const float *a, const float *b, float *c, int n) {
    c[threadIdx.x + 100000000000LL] = a[0];
}
"""
ABORTS = """
#include <assert.h>
__global__ void vec_add(const float *a, const float *b, float *c, int n) {
    assert(n < 0);
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
"""
BROKEN = """
__global__ void vec_add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDimx + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""


class Beats:
    """Counts turns of the event loop, each at least 5 ms apart, while the worker is busy."""

    def __init__(self, store: Store) -> None:
        self.count = 0
        self._store = store
        self._timer = QTimer()
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._beat)

    def __enter__(self) -> Beats:
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        self.count += self._store.activity is Activity.RUNNING


def run(qtbot: QtBot, session: Session) -> None:
    with qtbot.waitSignal(session.store.activity_changed, timeout=LIMIT_MS):
        session.store.run_requested.emit()
    qtbot.waitUntil(lambda: session.store.activity is Activity.IDLE, timeout=LIMIT_MS)


def banner(session: Session) -> Banner:
    found = session.window.findChild(Banner)
    assert isinstance(found, Banner)
    return found


def test_a_small_launch_runs_and_is_checked(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    run(qtbot, session)
    result = session.store.run
    assert result is not None
    assert result.matches
    assert session.window.areas.status.check.text.startswith("Matches NumPy")
    assert session.window.areas.findings.chip.text() in {"all passed", "1 idea", "2 ideas"} or (
        "warnings" in session.window.areas.findings.chip.text()
    )


def test_matmul_with_blocks_of_16_by_16(qtbot: QtBot, open_session: Callable[..., Session]) -> None:
    session = open_session()
    window, store = session.window, session.store
    row = window.areas.toolbar.operation.findData("matmul")
    window.areas.toolbar.operation.setCurrentIndex(row)
    window.areas.toolbar.operation.activated.emit(row)
    for axis in ("m", "n", "k"):
        field = window.areas.launch.field(f"size.{axis}")
        assert field is not None
        field.setFocus()
        field.selectAll()  # type: ignore[attr-defined]
        qtbot.keyClicks(field, "48")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    for axis in ("x", "y"):
        field = window.areas.launch.field(f"block.{axis}")
        assert field is not None
        field.setFocus()
        field.selectAll()  # type: ignore[attr-defined]
        qtbot.keyClicks(field, "16")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert store.workspace.block == Dim3(16, 16)
    run(qtbot, session)
    assert store.run is not None
    assert store.run.matches
    assert store.run.launch.grid == Dim3(3, 3)


def test_a_refused_launch_is_mended_by_its_first_button(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session(
        SMALL.with_(
            variant="one_block",
            sizes={"n": 5000},
            block=Dim3(5000),
            grid=Dim3(1),
            grid_follows_size=False,
        )
    )
    assert str(banner(session).title) == "Not launched"
    run(qtbot, session)
    assert session.store.run is not None
    assert not session.store.run.launched
    button = session.window.areas.findings.rows[0].buttons[0]
    with qtbot.waitSignal(session.store.run_changed, timeout=LIMIT_MS):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.store.run.matches
    assert str(banner(session).title) == ""


def test_a_compile_error_has_a_banner_and_leads_to_its_line(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session(SMALL.with_(source=BROKEN))
    run(qtbot, session)
    assert str(banner(session).title) == "Not compiled"
    with qtbot.waitSignals([session.store.view_requested, session.store.line_requested]):
        qtbot.mouseClick(banner(session)._button, Qt.MouseButton.LeftButton)
    assert session.window.areas.tabs.view is View.SOURCE


def test_a_compile_error_after_a_run_is_told_beside_the_picture_that_stays(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    run(qtbot, session)
    session.store.change(source=BROKEN)
    run(qtbot, session)
    assert str(banner(session).title) == "Not compiled"
    assert banner(session)._detail.text() == "The mapping below is from run 1."
    session.store.change(source=None)
    run(qtbot, session)
    assert str(banner(session).title) == ""


@pytest.mark.parametrize(
    ("source", "words"),
    [(ENDLESS, "ran longer than 1 s"), (WILD, ""), (ABORTS, "")],
    ids=["endless", "wild", "aborts"],
)
def test_a_bad_kernel_leaves_the_window_answering_and_the_next_run_works(
    qtbot: QtBot, open_session: Callable[..., Session], source: str, words: str
) -> None:
    session = open_session(deadline_seconds=1)
    run(qtbot, session)
    session.store.change(source=source)
    store = session.store
    with Beats(store) as beats:
        run(qtbot, session)
    findings = store.run.findings if store.run is not None else ()
    said = store.failure or " ".join(str(f.message) for f in findings if f.severity == "error")
    assert said
    assert words in said
    assert beats.count >= 3
    session.store.change(source=None)
    run(qtbot, session)
    assert session.store.run is not None
    assert session.store.run.matches
    assert session.store.failure == ""


def test_the_theme_is_switched_at_once(qtbot: QtBot, open_session: Callable[..., Session]) -> None:
    session = open_session()
    dark = session.window.grab().toImage().pixelColor(900, 6).lightness()
    session._commands.views.toggle_theme()
    light = session.window.grab().toImage().pixelColor(900, 6).lightness()
    assert dark < 60
    assert light > 200


def test_a_narrow_window_folds_its_right_panel(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    window = session.window
    assert not window.right.folded
    window.resize(1120, 700)
    assert window.right.folded
    assert window.width() == 1120
    window.resize(1440, 900)
    assert not window.right.folded


def test_every_action_has_a_slot_and_every_key_is_its_own(
    open_session: Callable[..., Session],
) -> None:
    session = open_session()
    keys = [a.shortcut().toString() for a in session.window.actions() if a.shortcut().toString()]
    assert len(keys) == len(set(keys))
    assert {"F5", "Ctrl+K", "F6", "Ctrl+L"} <= set(keys)


def test_ctrl_l_gives_the_code_line_the_keyboard(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    qtbot.waitUntil(session.window.isActiveWindow)
    qtbot.keyClick(session.window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert session.window.areas.launch.code.hasFocus()


def test_f6_goes_from_area_to_area_with_a_mark(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    window = session.window
    qtbot.waitUntil(window.isActiveWindow)
    seen = set()
    for _turn in range(7):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        focused = window.focusWidget()
        areas = vars(type(window.areas))["__dataclass_fields__"]
        seen |= {n for n in areas if getattr(window.areas, n).isAncestorOf(focused)}
    assert {"toolbar", "launch", "tabs"} <= seen


def test_every_control_has_a_name(open_session: Callable[..., Session]) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QSlider

    session = open_session()
    nameless = [
        widget
        for kind in (QAbstractButton, QComboBox, QLineEdit, QSlider)
        for widget in session.window.findChildren(kind)
        if not widget.accessibleName()
        and not (isinstance(widget, QAbstractButton) and widget.text())
        and "qt_" not in widget.objectName()
        and not isinstance(widget.parent(), QComboBox)
    ]
    assert nameless == []


def test_what_is_kept_comes_back(qtbot: QtBot, open_session: Callable[..., Session]) -> None:
    session = open_session()
    session.window.columns.setSizes([340, 800, 300])
    session.store.view_requested.emit(View.SOURCE)
    session._keep_state()
    again = open_session()
    again._state.restore(again.window)
    assert again.window.columns.sizes()[0] == pytest.approx(340, abs=2)
    assert again._state.view() is View.SOURCE


def test_the_palette_finds_and_does(qtbot: QtBot, open_session: Callable[..., Session]) -> None:
    session = open_session()
    palette = session._commands.places.choices
    assert palette is not None
    palette.open_over(session.window)
    qtbot.keyClicks(palette.field, "live")
    live = session.store.workspace.live
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert session.store.workspace.live is not live
    assert palette.isHidden()


def test_a_name_that_is_not_here_falls_back(open_session: Callable[..., Session]) -> None:
    session = open_session(SMALL.with_(operation="gone", variant="gone", model="Gone 9000"))
    assert session.store.workspace.operation == "conv2d" or session.store.launch_preview is not None
    assert session.store.workspace.model != "Gone 9000"


def test_a_pinned_block_gets_its_accesses_looked_at(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    run(qtbot, session)
    thread = ThreadId(Dim3(2, 0, 0), Dim3(5, 0, 0))
    with qtbot.waitSignal(session.store.run_changed, timeout=LIMIT_MS):
        session.store.select_thread(thread, pinned=True)
    assert session.store.run is not None
    trace = session.store.run.trace
    assert trace is not None
    assert trace.block is not None
    assert trace.block.block == Dim3(2, 0, 0)
    assert len(session.store.runs) == 1
    assert session.store.run.timings


def test_live_follows_a_knob(qtbot: QtBot, open_session: Callable[..., Session]) -> None:
    session = open_session(SMALL.with_(live=True))
    with qtbot.waitSignal(session.store.run_changed, timeout=LIMIT_MS):
        session.run_controller.run()
    with qtbot.waitSignal(session.store.run_changed, timeout=LIMIT_MS):
        session.store.change(sizes={"n": 100})
    assert session.store.run is not None
    assert session.store.run.launch.grid == Dim3(7)
    assert session.store.run.matches


def test_a_size_that_no_memory_holds_is_refused_in_words(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session(SMALL.with_(sizes={"n": 2**31 - 1}))
    run(qtbot, session)
    said = session.store.failure or str(session.window.areas.findings.rows[0].finding.message)
    assert said
    session.store.change(sizes={"n": 64})
    run(qtbot, session)
    assert session.store.run is not None
    assert session.store.run.matches


def test_a_sweep_fills_the_plot_and_can_be_stopped(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    store = session.store
    run(qtbot, session)
    with qtbot.waitSignal(store.sweep_changed, timeout=LIMIT_MS):
        store.sweep_requested.emit((1000, 2000, 4000))
    assert store.activity is Activity.SWEEPING
    store.stop_requested.emit()
    qtbot.waitUntil(lambda: store.activity is Activity.IDLE, timeout=LIMIT_MS)
    assert store.failure == ""


def test_copying_a_figure_fills_the_clipboard(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    run(qtbot, session)
    QApplication.clipboard().clear()
    qtbot.waitUntil(session.window.isActiveWindow)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(session.window, Qt.Key.Key_C, both)
    assert not QApplication.clipboard().image().isNull()


def test_tab_goes_through_the_launch_as_it_reads(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    window = session.window
    qtbot.waitUntil(window.isActiveWindow)
    first = window.areas.launch.field("size.n")
    assert first is not None
    first.setFocus()
    names = []
    for _turn in range(5):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        names.append(window.focusWidget().accessibleName())
    assert names == ["Size", "Type: f32", "Block x", "Block y", "Block z"]
    assert window.ring.isVisible()


def test_a_gpu_that_is_not_here_offers_the_emulator(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session(SMALL.with_(engine=EngineChoice.GPU, device=7))
    run(qtbot, session)
    assert session.store.failure
    button = banner(session)._button
    assert button.text() == "Use the emulator"
    with qtbot.waitSignal(session.store.run_changed, timeout=LIMIT_MS):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.store.run is not None
    assert session.store.run.matches


def test_chosen_baselines_are_kept(open_session: Callable[..., Session]) -> None:
    session = open_session(baseline_c_loop=False)
    assert session.store.baselines == (SeriesKey.NUMPY,)
    session.store.set_baselines((SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY))
    kept = session.preferences.settings
    assert kept.baseline_c_loop_threads
    assert not kept.baseline_c_loop


def test_blocks_are_swept_for_real_and_a_stopped_sweep_goes_on(
    qtbot: QtBot, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    store = session.store
    store.set_over(Over.BLOCK)
    store.sweep_requested.emit(())
    qtbot.waitUntil(lambda: Over.BLOCK in store.launch_sweeps, timeout=30_000)
    store.stop_requested.emit()
    qtbot.waitUntil(lambda: store.activity is Activity.IDLE, timeout=30_000)
    stopped = store.launch_sweeps[Over.BLOCK].result
    store.sweep_requested.emit(())
    qtbot.waitUntil(
        lambda: store.launch_sweeps[Over.BLOCK].result.complete and store.activity is Activity.IDLE,
        timeout=30_000,
    )
    whole = store.launch_sweeps[Over.BLOCK].result
    assert [point.choice.block for point in whole.points] == list(LINE)
    assert whole.points[: len(stopped.points)] == stopped.points
    assert {point.provenance for point in whole.points} == {Provenance.MODELED}
    assert all(point.matches for point in whole.points)
