# SPDX-License-Identifier: MIT
"""Puts the window together from its areas, and joins the few signals that cross them."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from threadloom.presentation.catalog import Catalog
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.dialogs.command_palette.palette import Palette
from threadloom.ui.dialogs.export import ExportDialog
from threadloom.ui.dialogs.welcome.welcome import Welcome
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.panels.findings.findings_panel import FindingsPanel
from threadloom.ui.panels.inspector.inspector import Inspector
from threadloom.ui.panels.launch.launch_panel import LaunchPanel
from threadloom.ui.panels.limits.limits_panel import LimitsPanel
from threadloom.ui.panels.source.source import SourcePane
from threadloom.ui.panels.tabs.tabs import Tabs
from threadloom.ui.shell.action_set import make_actions, make_menu
from threadloom.ui.shell.banner import Banner
from threadloom.ui.shell.commands.commands import Commands
from threadloom.ui.shell.main_window import Areas, MainWindow
from threadloom.ui.shell.status_bar import StatusBar
from threadloom.ui.shell.toolbar.toolbar import Toolbar
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance


def assemble(
    store: Store, catalog: Catalog, preferences: Preferences, appearance: Appearance
) -> tuple[MainWindow, Commands]:
    """A window over a store, and what can be done in it."""
    toolbar = Toolbar(store, catalog, appearance)
    launch = LaunchPanel(store, appearance)
    mapping = MappingView(store, appearance)
    mapping.set_banner(Banner(store, appearance, mapping))
    tabs = Tabs(store, appearance)
    welcome = Welcome(store, preferences, appearance)
    inspector = Inspector(store, appearance)
    areas = Areas(
        toolbar=toolbar,
        launch=launch,
        limits=LimitsPanel(store, appearance),
        findings=FindingsPanel(store, appearance),
        mapping=mapping,
        tabs=tabs,
        inspector=inspector,
        welcome=welcome,
        status=StatusBar(store, appearance),
    )
    tabs.view_changed.connect(inspector.show_view)
    mapping.selection_changed.connect(inspector.show_selection)
    areas.findings.element_shown.connect(mapping.show_element)
    window = MainWindow(store, appearance, areas)
    ExportDialog(store, appearance, window, tabs.exported)
    commands = Commands(window, store, preferences, appearance, catalog)
    source = tabs.panes[View.SOURCE]
    if isinstance(source, SourcePane):
        source.bar.open_asked.connect(commands.files.open_source)
        source.bar.save_asked.connect(commands.files.save_source)
    actions = make_actions(window, commands, appearance)
    commands.places.choices = Palette(list(actions.values()), appearance, window)
    menu = make_menu(window, actions)

    def open_menu(below: QWidget) -> None:
        menu.popup(below.mapToGlobal(QPoint(0, below.height() + 4)))

    toolbar.menu_requested.connect(lambda: open_menu(toolbar.menu))
    toolbar.settings_requested.connect(commands.places.settings)
    launch.menu_requested.connect(lambda: open_menu(launch.more))
    tabs.maximize_requested.connect(commands.views.maximize)
    welcome.opened.connect(lambda: window.show_welcome(False))
    welcome.opened.connect(commands.runs.run)
    welcome.source_requested.connect(commands.files.open_source)
    return window, commands
