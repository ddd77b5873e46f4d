# SPDX-License-Identifier: MIT
"""Meters for the limits that a launch comes near to."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from threadloom.model.provenance import Provenance
from threadloom.presentation.launch import limit_readings as readings
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.text import _
from threadloom.ui.panels.limits.meter_row import MeterRow
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import ElidedLabel
from threadloom.ui.widgets.section import SectionTitle


class LimitsPanel(QWidget):
    """Five meters, which follow the launch_preview."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = SectionTitle(appearance, _("Limits"))
        self._device = ElidedLabel(appearance, "", Role.CAPTION, "text-3")
        title.add_at_end(self._device)
        title.set_height(32)
        self.rows = {
            readings.threads_and_elements: MeterRow(appearance, _("Threads / elements")),
            readings.threads_per_block: MeterRow(appearance, _("Threads per block")),
            readings.registers_per_thread: MeterRow(appearance, _("Registers per thread")),
            readings.shared_per_block: MeterRow(appearance, _("Shared memory per block")),
            readings.occupancy: MeterRow(appearance, _("Occupancy")),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 0, 16, 6)
        column.setSpacing(0)
        column.addWidget(title)
        for row in self.rows.values():
            column.addWidget(row)
            column.addSpacing(6)
        store.launch_preview_changed.connect(self._on_launch_preview_changed)
        if store.launch_preview is not None:
            self._on_launch_preview_changed(store.launch_preview)

    def set_short(self, short: bool) -> None:
        """Leave the captions out where the window is low."""
        for row in self.rows.values():
            row.set_short(short)

    def _on_launch_preview_changed(self, launch_preview: LaunchPreview) -> None:
        name = launch_preview.device.name
        if launch_preview.device.provenance is Provenance.MODELED:
            name = _("{device}, modeled").format(device=name)
        self._device.setText(name)
        for read, row in self.rows.items():
            row.show_reading(read(launch_preview))
