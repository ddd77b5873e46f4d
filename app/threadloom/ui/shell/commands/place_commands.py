# SPDX-License-Identifier: MIT
"""The keyboard's way through the window, and the pages over it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from threadloom.ui.app.preferences import Preferences
from threadloom.ui.dialogs.command_palette.palette import Palette
from threadloom.ui.dialogs.settings.settings_dialog import SettingsDialog
from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.theme.theme import Appearance


class PlaceCommands:
    """The keyboard's way through the window, and the pages over it."""

    def __init__(
        self, window: MainWindow, preferences: Preferences, appearance: Appearance
    ) -> None:
        self._window = window
        self._preferences, self._appearance = preferences, appearance
        self.choices: Palette | None = None

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
        """Show the welcome page, or go back to the workbench."""
        self._window.show_welcome(not self._window.welcoming)

    def settings(self) -> None:
        """Open the settings."""
        dialog = SettingsDialog(self._preferences, self._appearance, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
