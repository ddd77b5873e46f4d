# SPDX-License-Identifier: MIT
"""One window with its store and its run_controller."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from threadloom.presentation.catalog import Catalog
from threadloom.services.client import Client
from threadloom.services.devices import device_table
from threadloom.services.storage.language import follow_language
from threadloom.services.storage.settings import Settings
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.preferences import Preferences, baselines_of, with_baselines
from threadloom.ui.app.run_controller import RunController
from threadloom.ui.dialogs.welcome.welcome import Welcome
from threadloom.ui.shell.composition import assemble
from threadloom.ui.shell.window_state import WindowState
from threadloom.ui.state.store import Store
from threadloom.ui.theme.appearance import ApplicationAppearance, register_fonts
from threadloom.ui.theme.theme import Appearance, Theme
from threadloom_kernels import find


def make_catalog(settings: Settings) -> Catalog:
    """Operations that are here, the user's own among them, and the device table."""
    found = find(Path(settings.operations_folder) if settings.operations_folder else None)
    models = {model.name: model for model in device_table.load()}
    return Catalog(found.operations, models, tuple(str(error) for error in found.errors))


class Session:
    """Builds everything in order, and ends it in the reverse one."""

    def __init__(
        self,
        application: QApplication,
        preferences: Preferences,
        workspace: Workspace,
        client: Client,
    ) -> None:
        self.preferences = preferences
        settings = preferences.settings
        self._language = settings.language
        register_fonts()
        self.appearance = Appearance(Theme.load("dark"))
        self._application_appearance = ApplicationAppearance(application, self.appearance, settings)
        catalog = make_catalog(settings)
        usable, missing = catalog.usable(workspace)
        self.store = Store(usable)

        self._client = client
        self.run_controller = RunController(
            self.store,
            catalog,
            client,
            kernel_limit_s=float(settings.deadline_seconds),
            operations_folder=settings.operations_folder or None,
        )
        self.window, self._commands = assemble(self.store, catalog, preferences, self.appearance)
        self._state = WindowState()
        welcome = self.window.areas.welcome
        if isinstance(welcome, Welcome):
            welcome.check_asked.connect(self.run_controller.start)
        self.store.baselines_changed.connect(
            lambda chosen: preferences.change(with_baselines(preferences.settings, chosen))
        )
        preferences.changed.connect(self._on_settings_changed)
        self._on_settings_changed(settings)
        self.window.closing.connect(self._keep_state)
        self.store.set_notice("\n".join(filter(None, (missing, *catalog.validation_messages))))

    def show(self, *, welcome: bool) -> None:
        """Show the window as it was left, and begin."""
        self._state.restore(self.window)
        view = self._state.view()
        if view is not None:
            self.store.view_requested.emit(view)
        self.window.show_welcome(welcome)
        self.window.show()
        self.window.areas.mapping.canvas.setFocus()
        self.run_controller.start()
        if not welcome and self.store.workspace.live:
            self.run_controller.run()

    def open_source(self, path: Path) -> None:
        """Take a ``.cu`` file as the source of the chosen operation."""
        self._commands.files.load_source(path)

    def close(self) -> None:
        """End the run controller, and the window with all that moves in it."""
        self._client.disconnect()
        self.run_controller.close()
        self.window.hide()
        self.window.deleteLater()

    def _keep_state(self) -> None:
        self._state.save(self.window, self.window.areas.tabs.view)

    def _follow_language(self, settings: Settings) -> None:
        if settings.language != self._language:
            self._language = settings.language
            follow_language(settings)
            self.window.areas.findings.reword()

    def _on_settings_changed(self, settings: Settings) -> None:
        self._application_appearance.follow(settings)
        self._follow_language(settings)
        self.run_controller.kernel_limit_s = float(settings.deadline_seconds)
        self.store.set_baselines(baselines_of(settings))
        calm = settings.reduced_motion == "on"
        self.window.areas.mapping.set_reduced_motion(calm)
