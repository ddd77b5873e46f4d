# SPDX-License-Identifier: MIT
"""The window on a GPU, by mouse and keyboard: run, live, sweep, timeline, export; with pictures."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from threadloom.model.dim3 import Dim3
from threadloom.model.provenance import Engine, Provenance
from threadloom.services.request import RunResult, SweepResult
from threadloom.services.settings import Settings
from threadloom.services.workspace import Workspace

LIMIT_S = 60.0
SETTLE_S = 0.6
SWEEP = (10**3, 10**4, 10**5, 10**6, 10**7)


def collect(out: Path) -> dict[str, Any]:
    """Walk through the window; each step says whether it did what it should."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    person = Person(out)
    try:
        steps = [
            person.step("run", person.run),
            person.step("live", person.live),
            person.step("sweep", person.sweep),
            person.step("timeline", person.timeline),
            person.step("timeline of a product", person.product),
            person.step("export", person.export),
            person.step("a launch that is refused", person.refused),
        ]
    finally:
        person.close()
    wrong = [step for step in steps if not step["ok"]]
    summary = [f"{len(steps)} steps, {len(wrong)} not as expected"]
    summary += [
        f"{'' if step['ok'] else 'NOT OK '}{step['step']} {step['seconds']:.1f} s: {step['words']}"
        for step in steps
    ]
    return {"steps": steps, "ok": not wrong, "summary": summary}


class Person:
    """Someone in front of the window."""

    def __init__(self, out: Path) -> None:
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        from threadloom.services.execute import handle
        from threadloom.ui.event_relay import EventRelay
        from threadloom.ui.preferences import Preferences
        from threadloom.ui.session import Session
        from threadloom.worker.supervisor import Supervisor

        self._out = out
        self._application = QApplication.instance() or QApplication(["threadloom"])
        assert isinstance(self._application, QApplication)
        self._hands = QTest
        relay = EventRelay()
        self._worker = Supervisor(handle, on_event=relay)
        settings = Settings().with_(theme="light", welcome_page=False, reduced_motion="on")
        self._session = Session(
            self._application, Preferences(settings), Workspace(), relay, self._worker
        )
        self._store = self._session.store
        self._areas = self._session.window.areas
        self._session.window.resize(1440, 900)
        self._session.window.show()
        self._session.laboratory.start()
        self._wait(lambda: self._store.devices is not None)

    def close(self) -> None:
        """Leave."""
        self._session.close()
        self._worker.close()
        self._settle()

    def step(self, name: str, act: Callable[[], tuple[bool, str]]) -> dict[str, Any]:
        """Do something, take a picture, and say how it went."""
        begin = time.perf_counter()
        try:
            ok, words = act()
        except Exception:  # noqa: BLE001 - it is reported, and the next step goes on
            ok, words = False, traceback.format_exc()[-1500:]
        seconds = time.perf_counter() - begin
        self._settle()
        file = f"window-{name.replace(' ', '-')}.png"
        self._session.window.grab().save(str(self._out / file))
        return {"step": name, "ok": ok, "seconds": seconds, "words": words, "picture": file}

    # Steps --------------------------------------------------------------------------------------

    def run(self) -> tuple[bool, str]:
        """Press Run."""
        result = self._result_of(lambda: self._click(self._areas.toolbar.run))
        return self._is_measured(result), self._told(result)

    def live(self) -> tuple[bool, str]:
        """Change the block, and see the run follow by itself."""
        workspace = self._store.workspace
        self._store.set_workspace(workspace.with_(live=True))
        begin = time.perf_counter()
        result = self._result_of(lambda: self._enter("block.x", "512"))
        first = time.perf_counter() - begin
        self._wait_until_idle()
        begin = time.perf_counter()
        again = self._result_of(lambda: self._enter("block.x", "128"))
        second = time.perf_counter() - begin
        good = result.launch.block == Dim3(512) and again.launch.block == Dim3(128)
        self._store.set_workspace(self._store.workspace.with_(live=False))
        return good and self._is_measured(again), f"{first:.2f} s and {second:.2f} s to a result"

    def sweep(self) -> tuple[bool, str]:
        """Time many sizes."""
        self._wait_until_idle()
        self._store.view_requested.emit(self._view("timings"))
        self._store.sweep_requested.emit(SWEEP)
        self._wait(lambda: isinstance(self._store.sweep, SweepResult))
        self._wait_until_idle()
        sweep = self._store.sweep
        assert isinstance(sweep, SweepResult)
        told = [f"{s.label} {s.provenance} {len(s.points)}" for s in sweep.series]
        kernel = [s for s in sweep.series if s.engine is Engine.GPU]
        expected = Provenance.MEASURED if self._has_gpu() else Provenance.MODELLED
        good = sweep.complete and all(s.provenance is expected for s in kernel)
        return good and sweep.all_match is True, "; ".join(told)

    def timeline(self) -> tuple[bool, str]:
        """Look at the SM timeline in the midst of the launch."""
        self._store.view_requested.emit(self._view("timeline"))
        line = self._store.result.timeline if self._store.result is not None else None
        if line is None:
            return False, "there is no timeline"
        self._store.set_playhead(0.45 * line.duration_s)
        expected = Provenance.MEASURED if self._has_gpu() else Provenance.MODELLED
        told = f"{line.blocks:,} blocks, {line.duration_s * 1e6:.1f} µs, slowed {line.slowed}"
        return line.provenance is expected, f"{line.provenance}: {told}"

    def product(self) -> tuple[bool, str]:
        """Pick a matrix product, run it and look at its timeline."""
        picker = self._areas.toolbar.operation
        picker.setCurrentIndex(picker.findText("Matrix multiply"))
        picker.activated.emit(picker.currentIndex())
        result = self._result_of(lambda: self._click(self._areas.toolbar.run))
        _good, told = self.timeline()
        return self._is_measured(result), f"{self._told(result)}; {told}"

    def export(self) -> tuple[bool, str]:
        """Write a figure and its data."""
        from threadloom.ui.export_dialog import ExportDialog

        self._click(self._areas.toolbar.export)
        dialog = self._session.window.findChild(ExportDialog)
        assert isinstance(dialog, ExportDialog)
        dialog.folder.setText(str(self._out))
        dialog.form.format.set_value("svg")
        dialog.form.format.chosen.emit("svg")
        dialog.export()
        self._wait(lambda: dialog.message.text().startswith("Wrote"))
        told = dialog.message.text()
        dialog.close_dialog()
        return bool(list(self._out.glob("*.svg"))), told

    def refused(self) -> tuple[bool, str]:
        """Ask for more threads than a block can have, and read why not."""
        self._wait_until_idle()
        workspace = self._store.workspace
        self._store.set_workspace(workspace.with_(block=Dim3(64, 64)))
        result = self._result_of(lambda: self._click(self._areas.toolbar.run))
        messages = [finding.message for finding in result.findings]
        return not result.launched and bool(messages), "; ".join(messages[:2])

    # What a person does and sees ----------------------------------------------------------------

    def _click(self, button: Any) -> None:
        from PySide6.QtCore import Qt

        self._hands.mouseClick(button, Qt.MouseButton.LeftButton)

    def _enter(self, field: str, text: str) -> None:
        from PySide6.QtCore import Qt

        entry = self._areas.launch.field(field)
        assert entry is not None
        entry.setFocus()
        self._hands.keyClick(entry, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self._hands.keyClicks(entry, text)
        self._hands.keyClick(entry, Qt.Key.Key_Return)

    def _result_of(self, act: Callable[[], None]) -> RunResult:
        self._wait_until_idle()
        before = self._store.result
        act()
        self._wait(
            lambda: (
                (self._store.result is not before and not self._store.stale)
                or bool(self._store.failure)
            )
        )
        self._wait_until_idle()
        if self._store.failure:
            raise AssertionError(self._store.failure)
        assert self._store.result is not None
        return self._store.result

    def _is_measured(self, result: RunResult) -> bool:
        engine = Engine.GPU if self._has_gpu() else Engine.EMULATOR
        return bool(result.matches) and result.engine is engine

    def _told(self, result: RunResult) -> str:
        times = "; ".join(f"{t.label} {t.samples.median_s * 1e6:.1f} µs" for t in result.timings)
        return f"{result.engine} {result.device.name}, compile {result.compile_s:.2f} s: {times}"

    def _has_gpu(self) -> bool:
        return bool(self._store.devices and self._store.devices.gpus)

    def _view(self, name: str) -> Any:
        from threadloom.ui.store import View

        return View(name)

    def _wait_until_idle(self) -> None:
        from threadloom.ui.store import Activity

        self._wait(lambda: self._store.activity is Activity.IDLE)

    def _wait(self, done: Callable[[], bool]) -> None:
        ends_at = time.perf_counter() + LIMIT_S
        while not done():
            if time.perf_counter() > ends_at:
                raise AssertionError(f"nothing happened within {LIMIT_S:.0f} s")
            self._hands.qWait(10)

    def _settle(self) -> None:
        self._hands.qWait(round(SETTLE_S * 1000))
