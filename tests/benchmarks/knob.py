# SPDX-License-Identifier: MIT
"""Time from turning a knob at n = 1,000,000 to the redrawn mapping, through the whole program.

The window, the worker and the emulator are the real ones: the kernel runs observed for the new
launch, its coverage travels to the window, and the mapping is painted.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

os.environ["QT_QPA_PLATFORM"] = "offscreen"

_BLOCKS = (128, 512, 64, 1024, 256, 192, 320, 96, 768, 160)
_LIMIT_MS = 150.0


def _until(done: Callable[[], bool], *changed: SignalInstance) -> None:
    """Let the window work until a condition holds that one of the signals may bring about."""
    from PySide6.QtCore import QEventLoop

    if done():
        return
    loop = QEventLoop()

    def look() -> None:
        if done():
            loop.quit()

    for signal in changed:
        signal.connect(look)
    loop.exec()
    for signal in changed:
        signal.disconnect(look)


def measure() -> list[float]:
    """Milliseconds from each change of the block to the painted mapping."""
    from PySide6.QtWidgets import QApplication

    from threadloom.model.dim3 import Dim3
    from threadloom.services.client import Client
    from threadloom.services.storage.settings import Settings
    from threadloom.services.storage.workspace import Workspace
    from threadloom.ui.app.preferences import Preferences
    from threadloom.ui.app.session import Session
    from threadloom.ui.state.store import Activity

    application = QApplication([])
    client = Client()
    settings = Settings().with_(welcome_page=False)
    session = Session(application, Preferences(settings), Workspace(), client)
    store, window = session.store, session.window
    window.resize(1280, 720)
    session.show(welcome=False)
    signals = (store.runs_changed, store.activity_changed)
    _until(lambda: store.run is not None and store.activity is Activity.IDLE, *signals)
    times = []
    for threads in _BLOCKS:
        before = len(store.runs)
        began = time.perf_counter()
        store.change(block=Dim3(threads))
        _until(lambda before=before: len(store.runs) > before, *signals)  # type: ignore[misc]
        window.areas.mapping.grab()
        times.append((time.perf_counter() - began) * 1e3)
        assert store.run is not None
        assert store.run.launch.block == Dim3(threads)
        assert store.run.matches
        _until(lambda: store.activity is Activity.IDLE, *signals)
    window.close()
    session.close()
    client.close()
    return times


def main() -> None:
    """Print the median and the range."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        times = sorted(measure())
    print(
        f"knob to redrawn mapping, n = 1,000,000: {statistics.median(times):.0f} ms "
        f"({times[0]:.0f} to {times[-1]:.0f}), {len(times)} changes"
    )
    within = "yes" if times[-1] < _LIMIT_MS else "NO"
    print(f"within {_LIMIT_MS:.0f} ms each time: {within}")


if __name__ == "__main__":
    main()
