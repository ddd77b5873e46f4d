# SPDX-License-Identifier: MIT
"""What the rows of the table of actions do."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from threadloom.presentation.catalog import Catalog
from threadloom.presentation.workspace_edits import reset_launch
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.text_file import TextFileError, read_text
from threadloom.services.storage.versioned_file import FileRefusedError
from threadloom.services.storage.workspace_file import load_workspace, save_workspace
from threadloom.text import _
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.dialogs.command_palette.palette import Palette
from threadloom.ui.dialogs.export import ExportDialog
from threadloom.ui.dialogs.settings.settings_dialog import SettingsDialog
from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.state.store import Over, Store, View
from threadloom.ui.theme.theme import Appearance

_TEXT_SIZES = (90, 100, 115, 130, 150)


class Commands(QObject):
    """One method for each row; the table names them."""

    def __init__(
        self,
        window: MainWindow,
        store: Store,
        preferences: Preferences,
        appearance: Appearance,
        dialog: ExportDialog,
        catalog: Catalog,
    ) -> None:
        super().__init__(window)
        self._dialog, self._inventory = dialog, catalog
        self._window, self._store = window, store
        self._preferences, self._appearance = preferences, appearance
        self.choices: Palette | None = None

    # Files --------------------------------------------------------------------------------------

    def open_source(self) -> None:
        """Open a CUDA source as the kernel of the chosen operation."""
        name, _kind = QFileDialog.getOpenFileName(
            self._window, _("Open a .cu file"), "", _("CUDA sources (*.cu *.cuh);;All files (*)")
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
            self._window, _("Open a workspace"), "", _("Workspaces (*.json);;All files (*)")
        )
        if not name:
            return
        try:
            opened = load_workspace(Path(name)).workspace
        except FileRefusedError as error:
            self._say(str(error))
            return
        usable, missing = self._inventory.usable(opened)
        self._store.set_workspace(usable)
        self._say(missing)

    def save_workspace(self) -> None:
        """Save the choices to a file."""
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save the workspace"), "workspace.json", _("Workspaces (*.json)")
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

    def settings(self) -> None:
        """Open the settings."""
        dialog = SettingsDialog(self._preferences, self._appearance, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    # Runs ---------------------------------------------------------------------------------------

    def run(self) -> None:
        """Compile and run."""
        self._store.run_requested.emit()

    def stop(self) -> None:
        """Stop what runs."""
        self._store.stop_requested.emit()

    def toggle_live(self) -> None:
        """Run on every change, or not."""
        self._store.change(live=not self._store.workspace.live)

    def sweep(self) -> None:
        """Time many sizes."""
        self._sweep_over(Over.SIZE)

    def sweep_blocks(self) -> None:
        """Time many blocks, each with the chosen size."""
        self._sweep_over(Over.BLOCK)

    def sweep_variants(self) -> None:
        """Time every variant with the chosen size."""
        self._sweep_over(Over.VARIANT)

    def next_finding(self) -> None:
        """Give the keyboard to the next finding."""
        self._window.ring.expect()
        self._window.areas.findings.next_finding()

    def apply_fix(self) -> None:
        """Apply the first fix of the finding in hand."""
        self._window.areas.findings.apply_first_fix()

    def reset_launch(self) -> None:
        """Back to the kernel's own launch and source."""
        ahead = self._store.launch_preview
        if ahead is not None:
            workspace = reset_launch(self._store.workspace, ahead.operation, ahead.variant)
            self._store.set_workspace(workspace)

    # Views --------------------------------------------------------------------------------------

    def show_timings(self) -> None:
        """Bring the timings forward."""
        self._show(View.TIMINGS)

    def show_memory(self) -> None:
        """Bring the memory accesses forward."""
        self._show(View.MEMORY)

    def show_timeline(self) -> None:
        """Bring the timeline of the SMs forward."""
        self._show(View.TIMELINE)

    def show_source(self) -> None:
        """Bring the source forward."""
        self._show(View.SOURCE)

    def show_runs(self) -> None:
        """Bring the runs of this session forward."""
        self._show(View.RUNS)

    def maximize(self) -> None:
        """Give the tabs the whole center, or give it back."""
        self._window.show_welcome(False)
        self._store.set_maximized(not self._store.maximized)

    def zoom_in(self) -> None:
        """Show the data larger."""
        self._window.areas.mapping.zoom(1)

    def zoom_out(self) -> None:
        """Show the data smaller."""
        self._window.areas.mapping.zoom(-1)

    def fit(self) -> None:
        """Show all blocks and elements."""
        self._window.areas.mapping.fit()

    def toggle_theme(self) -> None:
        """From dark to light, or back."""
        name = "light" if self._appearance.theme.is_dark else "dark"
        self._change_settings(theme=name)

    def larger_text(self) -> None:
        """One step larger."""
        self._step_text(1)

    def smaller_text(self) -> None:
        """One step smaller."""
        self._step_text(-1)

    def code_line(self) -> None:
        """Give the keyboard to the launch as code."""
        self._window.areas.launch.code.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_area(self) -> None:
        """Move the keyboard to the next area."""
        self._window.next_area(1)

    def previous_area(self) -> None:
        """Move the keyboard to the area before."""
        self._window.next_area(-1)

    def palette(self) -> None:
        """List all actions, to be found by name."""
        if self.choices is not None:
            self.choices.open_over(self._window)

    def welcome(self) -> None:
        """Show the welcome page, or go back to the run_controller."""
        self._window.show_welcome(not self._window.welcoming)

    def _sweep_over(self, over: Over) -> None:
        self._show(View.TIMINGS)
        self._store.set_over(over)
        self._store.sweep_requested.emit(())

    def _show(self, view: View) -> None:
        self._window.show_welcome(False)
        self._store.view_requested.emit(view)

    def _step_text(self, step: int) -> None:
        size = self._preferences.settings.text_size
        at = _TEXT_SIZES.index(size) if size in _TEXT_SIZES else 1
        self._change_settings(text_size=_TEXT_SIZES[min(max(at + step, 0), len(_TEXT_SIZES) - 1)])

    def _change_settings(self, **changes: object) -> None:
        settings: Settings = self._preferences.settings.with_(**changes)
        self._preferences.change(settings)

    def _ask_source_file(self) -> str:
        ahead = self._store.launch_preview
        proposed = ahead.variant.file if ahead is not None else "kernel.cu"
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save the .cu file"), proposed, _("CUDA sources (*.cu)")
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
