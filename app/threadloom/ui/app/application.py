# SPDX-License-Identifier: MIT
"""Starts the window and ends it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from threadloom.services.client import Client
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.versioned_file import FileRefusedError
from threadloom.services.storage.workspace import Workspace
from threadloom.services.storage.workspace_file import (
    last_session_path,
    load_workspace,
    save_workspace,
)
from threadloom.text import _
from threadloom.ui.app.preflight import look

if TYPE_CHECKING:
    from threadloom.ui.app.preferences import Preferences

_LOG = logging.getLogger(__name__)
SOURCES = {".cu", ".cuh"}
NO_WINDOW = 3
"""Exit status where there is no display, or Qt lacks a library."""


def run(workspace_file: Path | None = None, quit_after_s: float | None = None) -> int:
    """Open the window and stay until it is closed.

    Args:
        workspace_file: Choices to open, or a ``.cu`` file; what was chosen last if None.
        quit_after_s: Close by itself after so long; for tests and screenshots.

    Returns:
        Exit status.
    """
    before = look()
    if not before.ready:
        sys.stderr.write(before.text + "\n")
        return NO_WINDOW
    client = Client()  # it starts its child while the window is built
    try:
        return _run_window(client, workspace_file, quit_after_s)
    finally:
        client.close()


def _run_window(client: Client, file: Path | None, quit_after_s: float | None) -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from threadloom.ui.app import crash_report
    from threadloom.ui.app.preferences import Preferences
    from threadloom.ui.app.session import Session

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)  # noqa: S101 - nothing else makes one
    application.setApplicationName("threadloom")
    application.setApplicationDisplayName("Threadloom")
    application.setDesktopFileName("threadloom")
    preferences = Preferences.load()
    workspace, validation_message = _opening(file)
    session = Session(application, preferences, workspace, client)
    hook = crash_report.install(session.appearance)
    try:
        if file is not None and file.suffix in SOURCES:
            session.open_source(file)
        if validation_message:
            session.store.set_notice(validation_message)
        welcome = file is None and _first_start(preferences)
        session.show(welcome=welcome)
        if quit_after_s is not None:
            QTimer.singleShot(round(quit_after_s * 1000), session.window.close)
        status = application.exec()
        _keep(session.store.workspace)
        session.close()
        return status
    finally:
        sys.excepthook = hook


def _first_start(preferences: Preferences) -> bool:
    settings: Settings = preferences.settings
    return settings.welcome_page


def _opening(file: Path | None) -> tuple[Workspace, str]:
    """Choices to begin with, and why others could not be had."""
    path = file if file is not None and file.suffix == ".json" else last_session_path()
    if file is None and not path.exists():
        return Workspace(), ""
    if file is not None and file.suffix not in {".json", *SOURCES}:
        text = _("{file} is neither a workspace (.json) nor a CUDA source (.cu).")
        return Workspace(), text.format(file=file)
    if not path.exists() and file is not None and file.suffix != ".json":
        return Workspace(), ""
    try:
        return load_workspace(path).workspace, ""
    except FileRefusedError as error:
        _LOG.info("%s", error)
        return Workspace(), str(error)


def _keep(workspace: Workspace) -> None:
    try:
        save_workspace(workspace, last_session_path())
    except OSError as error:
        _LOG.warning("the choices could not be kept: %s", error)
