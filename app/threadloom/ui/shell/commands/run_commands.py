# SPDX-License-Identifier: MIT
"""Runs and sweeps, and what their findings offer."""

from __future__ import annotations

from threadloom.presentation.workspace_edits import reset_launch
from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.state.store import Over, Store, View


class RunCommands:
    """Runs and sweeps, and what their findings offer."""

    def __init__(self, window: MainWindow, store: Store) -> None:
        self._window, self._store = window, store

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

    def _sweep_over(self, over: Over) -> None:
        self._window.show_welcome(False)
        self._store.view_requested.emit(View.TIMINGS)
        self._store.set_over(over)
        self._store.sweep_requested.emit(())
