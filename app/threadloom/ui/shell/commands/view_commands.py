# SPDX-License-Identifier: MIT
"""Tabs, zoom, theme and text size."""

from __future__ import annotations

from threadloom.services.storage.settings import Settings
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance

_TEXT_SIZES = (90, 100, 115, 130, 150)


class ViewCommands:
    """Tabs, zoom, theme and text size."""

    def __init__(
        self, window: MainWindow, store: Store, preferences: Preferences, appearance: Appearance
    ) -> None:
        self._window, self._store = window, store
        self._preferences, self._appearance = preferences, appearance

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
