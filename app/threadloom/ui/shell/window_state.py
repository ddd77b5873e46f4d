# SPDX-License-Identifier: MIT
"""Sizes, places and the tab of the window, kept between starts."""

from __future__ import annotations

from pathlib import Path

import platformdirs
from PySide6.QtCore import QByteArray, QSettings

from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.state.store import View


def state_path() -> Path:
    """File of the window's state."""
    return platformdirs.user_state_path("threadloom", appauthor=False) / "window.ini"


class WindowState:
    """Reads and writes what a user has arranged."""

    def __init__(self, path: Path | None = None) -> None:
        self._kept = QSettings(str(path or state_path()), QSettings.Format.IniFormat)

    def restore(self, window: MainWindow) -> None:
        """Arrange the window as it was; what is missing or unfit keeps its default."""
        geometry = self._kept.value("geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)
        for name, splitter in (("columns", window.columns), ("rows", window.rows)):
            state = self._kept.value(name)
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
                window.arranged = True

    def view(self) -> View | None:
        """The tab that was in front."""
        name = self._kept.value("view")
        return next((view for view in View if view.value == name), None)

    def save(self, window: MainWindow, view: View) -> None:
        """Note how the window is arranged."""
        self._kept.setValue("geometry", window.saveGeometry())
        self._kept.setValue("columns", window.columns.saveState())
        self._kept.setValue("rows", window.rows.saveState())
        self._kept.setValue("view", view.value)
        self._kept.sync()
