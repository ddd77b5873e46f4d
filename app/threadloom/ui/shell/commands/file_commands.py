# SPDX-License-Identifier: MIT
"""Sources, workspaces and figures, opened and saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from threadloom.presentation.catalog import Catalog
from threadloom.services.storage.text_file import TextFileError, read_text
from threadloom.services.storage.versioned_file import FileRefusedError
from threadloom.services.storage.workspace_file import load_workspace, save_workspace
from threadloom.text import _
from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.state.store import Store, View


class FileCommands:
    """Sources, workspaces and figures, opened and saved."""

    def __init__(self, window: MainWindow, store: Store, catalog: Catalog) -> None:
        self._window, self._store, self._catalog = window, store, catalog

    def open_source(self) -> None:
        """Open a CUDA source as the kernel of the chosen operation."""
        name, _kind = QFileDialog.getOpenFileName(
            self._window, _("Open .cu file"), "", _("CUDA sources (*.cu *.cuh);;All files (*)")
        )
        if name:
            self.load_source(Path(name))

    def load_source(self, path: Path) -> None:
        """Take a file's text as the source, and show it."""
        try:
            text = read_text(path)
        except TextFileError as error:
            self._say(str(error))
            return
        self._store.change(source=text, source_file=str(path), entry=None)
        self._store.view_requested.emit(View.SOURCE)

    def save_source(self) -> None:
        """Save the source to its file, or to one that is asked for."""
        name = self._store.workspace.source_file or self._ask_source_file()
        if name:
            self._write_source(Path(name))

    def open_workspace(self) -> None:
        """Open choices that were saved."""
        name, _kind = QFileDialog.getOpenFileName(
            self._window, _("Open workspace"), "", _("Workspaces (*.json);;All files (*)")
        )
        if not name:
            return
        try:
            opened = load_workspace(Path(name)).workspace
        except FileRefusedError as error:
            self._say(str(error))
            return
        usable, missing = self._catalog.usable(opened)
        self._store.set_workspace(usable)
        self._say(missing)

    def save_workspace(self) -> None:
        """Save the choices to a file."""
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save workspace"), "workspace.json", _("Workspaces (*.json)")
        )
        if not name:
            return
        try:
            save_workspace(self._store.workspace, Path(name))
        except OSError as error:
            self._say(str(error))

    def export(self) -> None:
        """Open the export dialog."""
        self._store.export_requested.emit("")

    def copy_figure(self) -> None:
        """Put the figure of the tab in front on the clipboard, as an image."""
        self._window.areas.tabs.copy_figure()

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    def _ask_source_file(self) -> str:
        ahead = self._store.launch_preview
        proposed = ahead.variant.file if ahead is not None else "kernel.cu"
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save .cu file"), proposed, _("CUDA sources (*.cu)")
        )
        return name

    def _write_source(self, path: Path) -> None:
        workspace, ahead = self._store.workspace, self._store.launch_preview
        if ahead is None:
            return
        try:
            path.write_text(ahead.source, "utf-8")
        except OSError as error:
            why = error.strerror or error
            self._say(_("{file} cannot be written: {why}").format(file=path.name, why=why))
            return
        if workspace.source is not None:
            self._store.change(source_file=str(path))

    def _say(self, text: str) -> None:
        self._store.set_notice(text)
