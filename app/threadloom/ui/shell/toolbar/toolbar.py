# SPDX-License-Identifier: MIT
"""The bar at the top of the window."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch.device_entries import device_entries, device_key
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.picker_entry import Entry
from threadloom.presentation.workspace_edits import choose_device, choose_operation, choose_variant
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _
from threadloom.ui.shell.toolbar.logo import Logo
from threadloom.ui.state.store import Activity, Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button, IconButton
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.picker import Picker
from threadloom.ui.widgets.section import Line
from threadloom.ui.widgets.switch import Switch


class Toolbar(QFrame):
    """Operation, kernel and device on the left; Live, Sweep, Export, Settings and Run right."""

    menu_requested = Signal()
    settings_requested = Signal()

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._catalog, self._appearance = store, catalog, appearance
        self.setProperty("look", "panel")
        self.setFixedHeight(appearance.scaled(47))
        appearance.changed.connect(lambda: self.setFixedHeight(appearance.scaled(47)))
        self._make_pickers()
        self._make_buttons()
        self._lay_out()
        store.launch_preview_changed.connect(self._on_launch_preview_changed)
        store.devices_changed.connect(self._on_devices_changed)
        store.activity_changed.connect(self._on_activity_changed)
        store.stale_changed.connect(lambda _stale: self._show_dot())
        store.workspace_changed.connect(lambda _new, _old: self._show_dot())
        self._on_devices_changed(store.devices)
        if store.launch_preview is not None:
            self._on_launch_preview_changed(store.launch_preview)

    def _make_pickers(self) -> None:
        appearance = self._appearance
        self.menu = IconButton(appearance, "menu", _("Menu"))
        self.menu.clicked.connect(self.menu_requested)
        self.operation = Picker(appearance, _("Operation"))
        self.operation.set_entries(
            [Entry(o.name, _(o.title), tip=_(o.summary)) for o in self._catalog.operations.values()]
        )
        self.kernel = Picker(appearance, _("Kernel"), prefix=_("Kernel"))
        self.device = Picker(appearance, _("Device"), yields=True)
        self.operation.picked.connect(self._on_operation_picked)
        self.kernel.picked.connect(self._on_kernel_picked)
        self.device.picked.connect(self._on_device_picked)

    def _make_buttons(self) -> None:
        appearance, store = self._appearance, self._store
        self.live = Switch(appearance, _("Live"))
        self.live.setToolTip(_("Run again on every change (Ctrl+T)"))
        self.live.clicked.connect(lambda on: store.change(live=on))
        self.sweep = Button(appearance, _("Sweep"), icon="chart", height=30)
        self.sweep.setToolTip(_("Measure sizes, blocks or variants, as set in Timings"))
        self.sweep.clicked.connect(self._on_sweep_clicked)
        self.export = Button(appearance, _("Export"), icon="export", height=30)
        self.export.setToolTip(_("Save a figure or its data (Ctrl+E)"))
        self.export.clicked.connect(lambda: store.export_requested.emit(""))
        self.settings = IconButton(appearance, "settings", _("Settings"))
        self.settings.clicked.connect(self.settings_requested)
        self.run = Button(appearance, _("Run"), "primary", icon="play", key="F5", height=30)
        self.run.clicked.connect(self._on_run_clicked)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        line = Line(upright=True)
        line.setFixedHeight(20)
        label = Label(self._appearance, _("Live"), Role.BODY)
        left: list[QWidget] = [Logo(self._appearance), self.menu, self.operation, self.kernel]
        right: list[QWidget] = [self.sweep, self.export, self.settings, self.run]
        for widget in left:
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(line)
        row.addSpacing(4)
        row.addWidget(self.device)
        row.addStretch(1)
        row.addWidget(self.live)
        row.addWidget(label)
        row.addSpacing(8)
        for widget in right:
            row.addWidget(widget)

    def _on_launch_preview_changed(self, launch_preview: LaunchPreview) -> None:
        self.operation.set_key(launch_preview.operation.name)
        entries = [
            Entry(v.name, _(v.title), tip=_(v.summary)) for v in launch_preview.operation.variants
        ]
        self.kernel.set_entries(entries)
        self.kernel.set_key(launch_preview.variant.name)
        self.device.set_key(device_key(launch_preview.workspace, self._store.devices))
        self.live.setChecked(launch_preview.workspace.live)

    def _on_devices_changed(self, here: DevicesResult | None) -> None:
        self.device.set_entries(device_entries(self._catalog.models.values(), here))
        self.device.set_key(device_key(self._store.workspace, here))

    def _on_activity_changed(self, activity: Activity) -> None:
        busy = activity is not Activity.IDLE
        self.run.show_face(_("Stop") if busy else _("Run"), icon="stop" if busy else "play")
        sweeping = activity is Activity.SWEEPING
        self.sweep.setCheckable(True)
        self.sweep.setChecked(sweeping)
        self._show_dot()

    def _show_dot(self) -> None:
        waiting = self._store.outdated
        self.run.set_dot(waiting and self._store.activity is Activity.IDLE)

    def _on_operation_picked(self, name: str) -> None:
        operation = self._catalog.operations[name]
        self._store.set_workspace(choose_operation(self._store.workspace, operation))

    def _on_kernel_picked(self, name: str) -> None:
        workspace: Workspace = self._store.workspace
        operation = self._catalog.operation(workspace)
        variant = operation.variant(name)
        self._store.set_workspace(choose_variant(workspace, operation, variant))

    def _on_device_picked(self, key: str) -> None:
        self._store.set_workspace(choose_device(self._store.workspace, key))

    def _on_run_clicked(self) -> None:
        if self._store.activity is Activity.IDLE:
            self._store.run_requested.emit()
        else:
            self._store.stop_requested.emit()

    def _on_sweep_clicked(self) -> None:
        if self._store.activity is Activity.SWEEPING:
            self._store.stop_requested.emit()
        else:
            self._store.sweep_requested.emit(())
