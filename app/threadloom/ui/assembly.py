# SPDX-License-Identifier: MIT
"""Puts the window together from its areas, and joins the few signals that cross them."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from threadloom.ui.action_set import make_actions, make_menu
from threadloom.ui.banner import Banner
from threadloom.ui.commands import Commands
from threadloom.ui.export_dialog import ExportDialog
from threadloom.ui.findings_panel.findings_panel import FindingsPanel
from threadloom.ui.inspector.inspector import Inspector
from threadloom.ui.inventory import Inventory
from threadloom.ui.launch_panel.launch_panel import LaunchPanel
from threadloom.ui.limits_panel.limits_panel import LimitsPanel
from threadloom.ui.main_window import Areas, MainWindow
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.palette.palette import Palette
from threadloom.ui.preferences import Preferences
from threadloom.ui.status_bar import StatusBar
from threadloom.ui.store import Store, View
from threadloom.ui.tabs.source.source import SourcePane
from threadloom.ui.tabs.tabs import Tabs
from threadloom.ui.theme import Appearance
from threadloom.ui.toolbar.toolbar import Toolbar
from threadloom.ui.welcome.welcome import Welcome


def assemble(
    store: Store, inventory: Inventory, preferences: Preferences, appearance: Appearance
) -> tuple[MainWindow, Commands]:
    """A window over a store, and what can be done in it."""
    toolbar = Toolbar(store, inventory, appearance)
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
    dialog = ExportDialog(store, appearance, window, tabs.exported)
    commands = Commands(window, store, preferences, appearance, dialog, inventory)
    source = tabs.panes[View.SOURCE]
    if isinstance(source, SourcePane):
        source.bar.open_asked.connect(commands.open_source)
        source.bar.save_asked.connect(commands.save_source)
    actions = make_actions(window, commands, appearance)
    commands.choices = Palette(list(actions.values()), appearance, window)
    menu = make_menu(window, actions)

    def open_menu(below: QWidget) -> None:
        menu.popup(below.mapToGlobal(QPoint(0, below.height() + 4)))

    toolbar.menu_requested.connect(lambda: open_menu(toolbar.menu))
    toolbar.settings_requested.connect(commands.settings)
    launch.menu_requested.connect(lambda: open_menu(launch.more))
    tabs.maximise_requested.connect(commands.maximise)
    welcome.opened.connect(lambda: window.show_welcome(False))
    welcome.opened.connect(commands.run)
    welcome.source_requested.connect(commands.open_source)
    return window, commands
