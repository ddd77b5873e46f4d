# SPDX-License-Identifier: MIT
"""The main job, by mouse and keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from threadloom.model.dim3 import Dim3
from threadloom.presentation.mapping.hit_test import TargetKind
from threadloom.services.messages.sweep import SweepResult
from threadloom.ui.app.session import Session
from threadloom.ui.dialogs.export import ExportDialog
from threadloom.ui.mapping.panes.canvas import Canvas
from threadloom.ui.state.store import Activity

LIMIT_MS = 60_000


def enter(qtbot: QtBot, field: QWidget | None, text: str) -> None:
    assert field is not None
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def place_of_a_thread(canvas: Canvas) -> QPoint:
    """Somewhere on the canvas where a thread of the block is drawn."""
    for y in range(0, canvas.height(), 5):
        for x in range(0, canvas.width(), 5):
            target = canvas.at(QPointF(x, y))
            if target is not None and target.kind is TargetKind.THREAD:
                return QPoint(x, y)
    raise AssertionError("no thread is drawn")


def wait_until_idle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: session.store.activity is Activity.IDLE, timeout=LIMIT_MS)


def test_pick_launch_watch_pin_time_and_export(
    qtbot: QtBot, open_session: Callable[..., Session], tmp_path: Path
) -> None:
    session = open_session()
    window, store = session.window, session.store
    areas = window.areas

    picker = areas.toolbar.operation
    picker.setCurrentIndex(picker.findText("Matrix multiply"))  # a list cannot pop up off screen
    picker.activated.emit(picker.currentIndex())
    assert store.workspace.operation == "matmul"
    for axis in ("m", "n", "k"):
        enter(qtbot, areas.launch.field(f"size.{axis}"), "40")
    for axis in ("x", "y"):
        enter(qtbot, areas.launch.field(f"block.{axis}"), "16")
    assert store.workspace.block == Dim3(16, 16)

    with qtbot.waitSignal(store.run_changed, timeout=LIMIT_MS):
        qtbot.mouseClick(areas.toolbar.run, Qt.MouseButton.LeftButton)
    assert store.run is not None
    assert store.run.matches
    wait_until_idle(qtbot, session)

    areas.mapping.canvas.setFocus()
    qtbot.keyClick(areas.mapping.canvas, Qt.Key.Key_Home)
    with qtbot.waitSignal(store.playhead_changed, timeout=LIMIT_MS):
        qtbot.keyClick(areas.mapping.canvas, Qt.Key.Key_Space)
    qtbot.keyClick(areas.mapping.canvas, Qt.Key.Key_End)
    areas.mapping.playback.pause()

    place = place_of_a_thread(areas.mapping.canvas)
    qtbot.mouseClick(areas.mapping.canvas, Qt.MouseButton.LeftButton, pos=place)
    assert store.selected_thread is not None
    assert store.selected_thread.pinned

    store.sweep_requested.emit((16, 24, 32))
    qtbot.waitUntil(lambda: isinstance(store.sweep, SweepResult), timeout=LIMIT_MS)
    wait_until_idle(qtbot, session)

    qtbot.mouseClick(areas.toolbar.export, Qt.MouseButton.LeftButton)
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    assert dialog.isVisible()
    dialog.folder.setText(str(tmp_path))
    dialog.form.format.set_value("svg")
    dialog.form.format.chosen.emit("svg")
    dialog.export()
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob("*.svg"))), timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: dialog.message.text().startswith("Wrote"), timeout=LIMIT_MS)
    (file,) = tmp_path.glob("*.svg")
    assert QSvgRenderer(str(file)).isValid()
    assert list(tmp_path.glob("*.csv"))
