# SPDX-License-Identifier: MIT
"""All commands of a window; the rows of the action table name them as ``group.method``."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from PySide6.QtCore import QObject

from threadloom.presentation.catalog import Catalog
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.shell.commands.file_commands import FileCommands
from threadloom.ui.shell.commands.place_commands import PlaceCommands
from threadloom.ui.shell.commands.run_commands import RunCommands
from threadloom.ui.shell.commands.view_commands import ViewCommands
from threadloom.ui.shell.main_window import MainWindow
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance


class Commands(QObject):
    """Groups of commands."""

    def __init__(
        self,
        window: MainWindow,
        store: Store,
        preferences: Preferences,
        appearance: Appearance,
        catalog: Catalog,
    ) -> None:
        super().__init__(window)
        self.files = FileCommands(window, store, catalog)
        self.runs = RunCommands(window, store)
        self.views = ViewCommands(window, store, preferences, appearance)
        self.places = PlaceCommands(window, preferences, appearance)

    def named(self, name: str) -> Callable[[], None]:
        """The command with a name such as ``files.open_source``."""
        found: Callable[[], None] = attrgetter(name)(self)
        return found
