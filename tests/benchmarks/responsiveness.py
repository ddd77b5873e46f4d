# SPDX-License-Identifier: MIT
"""What must not keep a user waiting, as ratios of two times on the same machine.

A ratio holds on a slow or loaded machine, too, where a limit in milliseconds would not. The exit
status is 1 if one is above its limit.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Queue

from threadloom.model.job import EngineChoice

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from threadloom.backends.source import parse
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources
from threadloom.model.run import Measurement
from threadloom.model.schedule import modeled_timeline
from threadloom.services.client import Client
from threadloom.services.devices.device_table import find
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.app.session import Session
from threadloom.ui.panels.source.highlighter import spans_by_line
from threadloom.ui.panels.timeline.timeline import TimelinePane
from threadloom.ui.state.store import Activity
from threadloom.worker.event import Event
from threadloom.worker.supervisor import Supervisor
from threadloom.worker.time_limit import TimeLimit

_SOURCE = Path(__file__).parents[1] / "data" / "kernels" / "reduction.cu"
_TIME_LIMIT_S = 1
_ENDLESS = """
__global__ void vec_add(const float *a, const float *b, float *c, int n) {
    volatile int go = 1;
    while (go) { go = go | 1; }
    c[0] = a[0] + b[0];
}
"""


def _seconds(call: Callable[[], object], trials: int = 5) -> float:
    """Shortest of some trials: other processes only ever add to a time."""
    times = []
    for _trial in range(trials):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def parsing() -> float:
    """Parsing a source, to highlighting it: both follow each key."""
    text = _SOURCE.read_text("utf-8")
    return _seconds(lambda: parse(text)) / _seconds(lambda: spans_by_line(text))


def scheduling() -> float:
    """A model of a million blocks, to sorting a million numbers."""
    device, launch = find("RTX 4060"), Launch(Dim3(1000, 1000), Dim3(256))
    held = occupancy(device, launch, Resources(32))
    numbers = np.random.default_rng(1).random(1_000_000)
    modeled = _seconds(lambda: modeled_timeline(device, launch, held, 1e-3))
    return modeled / _seconds(lambda: np.sort(numbers))


def noticing() -> float:
    """From a crash to its report, to the first answer of a new worker."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "threadloom" / "worker"))
    from worker_handlers import behave  # type: ignore[import-not-found]

    events: Queue[Event] = Queue()

    def ask(request: str) -> None:
        worker.submit(1, request, TimeLimit(60.0))
        events.get()

    began = time.perf_counter()
    worker = Supervisor(behave, on_event=events.put)
    ask("pid")
    first = time.perf_counter() - began
    noticed = []
    for _trial in range(3):
        ask("pid")
        noticed.append(_seconds(lambda: ask("exit"), trials=1))
    worker.close()
    return min(noticed) / first


@contextmanager
def _session(application: QApplication) -> Iterator[Session]:
    client = Client()
    settings = Settings().with_(welcome_page=False, deadline_seconds=_TIME_LIMIT_S)
    start = Workspace(sizes={"n": 64}, block=Dim3(16), engine=EngineChoice.EMULATOR, live=False)
    session = Session(application, Preferences(settings), start, client)
    session.show(welcome=False)
    yield session
    session.window.close()
    session.close()
    client.close()


def _own_time_s() -> float:
    """A clock that stands while this thread is ready but others have all processors."""
    file = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
    waited = int(file.read_text().split()[1]) / 1e9 if file.is_file() else 0.0
    return time.perf_counter() - waited


def _run(session: Session) -> None:
    """Ask for a run and let the event loop turn until it has ended."""
    loop = QEventLoop()
    session.store.activity_changed.connect(
        lambda: loop.quit() if session.store.activity is Activity.IDLE else None
    )
    session.store.run_requested.emit()
    loop.exec()


def pausing(session: Session) -> float:
    """Longest pause of the event loop while an endless kernel is stopped, to the time limit."""
    _run(session)
    session.store.change(source=_ENDLESS)
    beats = [_own_time_s()]
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(_own_time_s()))
    timer.start(5)
    _run(session)
    timer.stop()
    session.store.change(source=None)
    return float(np.diff(beats).max()) / _TIME_LIMIT_S


def playing(session: Session) -> float:
    """A frame of the timeline of a million blocks, to one of four blocks."""
    _run(session)
    store = session.store
    pane = session.window.findChild(TimelinePane)
    assert isinstance(pane, TimelinePane)
    assert store.run is not None
    small = store.run

    def frames() -> None:
        for step in range(20):
            store.set_playhead(step * 1e-9)
            pane.view.grab()

    few = _seconds(frames)
    launch = Launch(Dim3(1_000_000), Dim3(256))
    assert small.occupancy is not None
    line = modeled_timeline(small.device, launch, small.occupancy, 1e-3)
    store.set_run(
        replace(
            small,
            target=replace(small.target, launch=launch),
            observation=None,
            measurement=Measurement(timeline=line),
        )
    )
    return _seconds(frames) / few


def main() -> int:
    """Print each ratio with its limit."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        application = QApplication([])
        ratios = [(parsing, parsing(), 2.0), (scheduling, scheduling(), 2.0)]
        ratios.append((noticing, noticing(), 0.5))
        with _session(application) as session:
            ratios.append((pausing, pausing(session), 0.1))  # type: ignore[arg-type]
            ratios.append((playing, playing(session), 3.0))  # type: ignore[arg-type]
    for what, ratio, limit in ratios:
        held = "" if ratio <= limit else "  TOO SLOW"
        print(f"{(what.__doc__ or '').rstrip('.')}: {ratio:.3f} (limit {limit}){held}")
    return int(any(ratio > limit for _what, ratio, limit in ratios))


if __name__ == "__main__":
    sys.exit(main())
