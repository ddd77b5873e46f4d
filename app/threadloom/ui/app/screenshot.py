# SPDX-License-Identifier: MIT
"""The whole window as a user would see it, drawn off screen into a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch, ThreadId
from threadloom.services.messages.sweep import SweepResult
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _
from threadloom.worker.outcome import ExpectedError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from threadloom.ui.app.session import Session

RUN_LIMIT_S = 300.0
SWEEP_LIMIT_S = 600.0
MIDST = 0.43
"""Share of a launch at which some blocks are done, some run and some wait."""
_SETTLE_MS = 400
"""For layouts, and for pictures that are drawn a moment later."""


class PictureError(ExpectedError):
    """There is no picture; the text says why."""


def save(
    path: Path | str,
    workspace: Workspace,
    *,
    theme: str = "light",
    scale: float = 1.0,
    width: int = 1440,
    height: int = 900,
    tab: str | None = None,
    at: float | None = None,
    pin: ThreadId | None = None,
) -> None:
    """Run what is chosen in a window off screen, and save the window as an image.

    Args:
        path: Image to write; its ending says the format.
        workspace: What is chosen.
        theme: Name of a theme, such as ``light`` or ``dark``.
        scale: Device pixels for each pixel of width and height.
        width: Width of the window.
        height: Height of the window.
        tab: Value of `View` to bring forward. The timings, which are shown if None, get a sweep.
        at: How far the playback is, 0 to 1; in the midst of the launch if None.
        pin: Thread to pin; one near the launch's start if None.

    Raises:
        PictureError: If a run takes too long, or the file cannot be written.
    """
    application = _application(scale)
    from threadloom.services.client import Client
    from threadloom.ui.app.preferences import Preferences
    from threadloom.ui.app.session import Session

    client = Client()
    settings = Settings().with_(theme=theme, welcome_page=False, reduced_motion="on")
    session = Session(application, Preferences(settings), workspace, client)
    try:
        session.window.resize(width, height)
        session.window.show()
        session.window.resize(width, height)
        _bring_about(session, tab, at, pin)
        _write(session, Path(path), scale)
    finally:
        session.close()
        client.close()
        _settle(0)


def _application(scale: float) -> QApplication:
    """The application; its scale is fixed when it is made, so that icons and text are sharp."""
    from PySide6.QtWidgets import QApplication

    there = QApplication.instance()
    if isinstance(there, QApplication):
        return there
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = str(scale)
    return QApplication(["threadloom"])


def _bring_about(session: Session, tab: str | None, at: float | None, pin: ThreadId | None) -> None:
    """Run, time, and arrange the window for the picture."""
    from threadloom.ui.state.store import Activity, View

    store = session.store
    view = View(tab) if tab is not None else View.TIMINGS
    store.view_requested.emit(view)
    if pin is None and store.launch_preview is not None and not store.launch_preview.refused:
        pin = telling_thread(store.launch_preview.launch)
    if pin is not None:
        store.select_thread(pin, pinned=True)
    session.run_controller.start()
    session.run_controller.run()
    idle = Activity.IDLE
    _wait(
        lambda: store.activity is idle and (store.run is not None or bool(store.failure)),
        RUN_LIMIT_S,
    )
    ran = store.run is not None and store.run.launched
    if view is View.TIMINGS and ran:
        store.sweep_requested.emit(())
        _wait(lambda: store.activity is idle or isinstance(store.sweep, SweepResult), SWEEP_LIMIT_S)
    if pin is not None:
        store.select_thread(pin, pinned=True)
    _settle(_SETTLE_MS)
    result = store.run
    if result is not None and result.timeline is not None:
        share = MIDST if at is None else at
        store.set_playhead(share * result.timeline.duration_s)
    _settle(_SETTLE_MS)


def telling_thread(launch: Launch) -> ThreadId:
    """A thread that is not the first one of anything, so that each of its numbers shows."""
    grid, block = launch.grid, launch.block
    wanted = Dim3(12, 5, 1) if grid.rank > 1 else Dim3(2, 0, 0)
    place = Dim3(*(min(at, extent - 1) for at, extent in zip(wanted, grid, strict=True)))
    return ThreadId(place, block.at(min(37, block.count - 1)))


def _write(session: Session, path: Path, scale: float) -> None:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPixmap

    window = session.window
    drawn = window.grab()
    if drawn.devicePixelRatio() != scale:
        drawn = QPixmap(window.size() * scale)
        drawn.setDevicePixelRatio(scale)
        window.render(drawn, QPoint(0, 0))
    if not drawn.save(str(path)):
        raise PictureError(_("{path} cannot be written.").format(path=path))


def _wait(done: Callable[[], bool], limit_s: float) -> None:
    """Let the window work until a condition holds."""
    from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

    deadline = QDeadlineTimer(round(limit_s * 1000))
    loop = QEventLoop()
    look = QTimer()
    look.setInterval(20)

    def check() -> None:
        if done() or deadline.hasExpired():
            loop.quit()

    look.timeout.connect(check)
    look.start()
    loop.exec()
    look.stop()
    if not done():
        raise PictureError(_("The run exceeded the time limit for a screenshot."))


def _settle(pause_ms: int) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(pause_ms, loop.quit)
    loop.exec()
