# SPDX-License-Identifier: MIT
"""Someone in front of the window: what they do with mouse and keyboard, and what they wait for."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from threadloom.model.provenance import Engine, Provenance
from threadloom.model.run import Run
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.workspace import Workspace

LIMIT_S = 120.0
SETTLE_S = 0.6


class User:
    """Someone in front of the window."""

    def __init__(self, out: Path) -> None:
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        from threadloom.services.client import Client
        from threadloom.ui.app.preferences import Preferences
        from threadloom.ui.app.session import Session

        self.out = out
        self.application = QApplication.instance() or QApplication(["threadloom"])
        assert isinstance(self.application, QApplication)
        self.hands = QTest
        self.client = Client()
        settings = Settings().with_(theme="light", welcome_page=False, reduced_motion="on")
        self.session = Session(self.application, Preferences(settings), Workspace(), self.client)
        self.store = self.session.store
        self.areas = self.session.window.areas
        self.session.window.resize(1440, 900)
        self.session.window.show()
        self.session.run_controller.start()
        self.wait(lambda: self.store.devices is not None)

    def close(self) -> None:
        """Leave."""
        self.session.close()
        self.client.close()
        self.settle()

    def step(self, name: str, act: Callable[[User], tuple[bool, str]]) -> dict[str, Any]:
        """Do something, take a picture, and say how it went."""
        begin = time.perf_counter()
        try:
            ok, words = act(self)
        except Exception:  # noqa: BLE001 - it is reported, and the next step goes on
            ok, words = False, traceback.format_exc()[-1500:]
        seconds = time.perf_counter() - begin
        self.settle()
        file = f"window-{name.replace(' ', '-')}.png"
        self.session.window.grab().save(str(self.out / file))
        return {"step": name, "ok": ok, "seconds": seconds, "words": words, "picture": file}

    # What a user does and sees ----------------------------------------------------------------

    def click(self, button: Any) -> None:
        """Press a button."""
        from PySide6.QtCore import Qt

        self.hands.mouseClick(button, Qt.MouseButton.LeftButton)

    def click_at(self, widget: Any, place: Any) -> None:
        """Click at a place of a widget."""
        from PySide6.QtCore import Qt

        at = place.toPoint()
        self.hands.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)

    def enter(self, field: str, text: str) -> None:
        """Type into a field of the launch panel."""
        from PySide6.QtCore import Qt

        entry = self.areas.launch.field(field)
        assert entry is not None
        entry.setFocus()
        self.hands.keyClick(entry, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.hands.keyClicks(entry, text)
        self.hands.keyClick(entry, Qt.Key.Key_Return)

    def result_of(self, act: Callable[[], None]) -> Run:
        """Do something and wait for the run that follows."""
        self.wait_until_idle()
        before = self.store.run
        act()
        self.wait(
            lambda: (
                (self.store.run is not before and not self.store.stale) or bool(self.store.failure)
            )
        )
        self.wait_until_idle()
        if self.store.failure:
            raise AssertionError(self.store.failure)
        assert self.store.run is not None
        return self.store.run

    def is_measured(self, result: Run) -> bool:
        """Whether a run is right, and on the GPU if there is one."""
        engine = Engine.GPU if self.has_gpu() else Engine.EMULATOR
        return bool(result.matches) and result.engine is engine

    def told(self, result: Run) -> str:
        """A run's times in one line."""
        times = "; ".join(f"{t.label} {t.samples.median_s * 1e6:.1f} µs" for t in result.timings)
        compile_s = result.compilation.compile_s if result.compilation else 0.0
        return f"{result.engine} {result.device.name}, compile {compile_s:.2f} s: {times}"

    def source(self) -> Provenance:
        """Where times of kernels come from on this machine."""
        return Provenance.MEASURED if self.has_gpu() else Provenance.MODELED

    def timings(self) -> Any:
        """The Timings tab."""
        return self.areas.tabs.panes[self.view("timings")]

    def has_gpu(self) -> bool:
        """Whether the window has found a GPU."""
        return bool(self.store.devices and self.store.devices.gpus)

    def view(self, name: str) -> Any:
        """A tab by its name."""
        from threadloom.ui.state.store import View

        return View(name)

    def wait_until_idle(self) -> None:
        """Wait until nothing is at work."""
        from threadloom.ui.state.store import Activity

        self.wait(lambda: self.store.activity is Activity.IDLE)

    def wait(self, done: Callable[[], bool]) -> None:
        """Let the window work until something holds."""
        ends_at = time.perf_counter() + LIMIT_S
        while not done():
            if time.perf_counter() > ends_at:
                raise AssertionError(f"nothing happened within {LIMIT_S:.0f} s")
            self.hands.qWait(10)

    def settle(self) -> None:
        """Let the window come to rest."""
        self.hands.qWait(round(SETTLE_S * 1000))
