# SPDX-License-Identifier: MIT
"""A card in which a user chooses what a kernel is held against."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QVBoxLayout, QWidget

from threadloom.model.timing.samples import BASELINES, SeriesKey
from threadloom.presentation.bench.baseline_text import baseline_title
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label


class BaselinesCard(QFrame):
    """One box for each baseline, by name."""

    chosen = Signal(object)
    """Tuple of SeriesKey, in the order of `BASELINES`."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("look", "card")
        self.setAccessibleName(_("Baselines"))
        self.boxes = {key: QCheckBox(baseline_title(key)) for key in BASELINES}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(Label(appearance, _("Compare the kernel with"), Role.TITLE))
        for box in self.boxes.values():
            box.toggled.connect(self._on_toggled)
            column.addWidget(box)
        words = _("Selected baselines are measured from the next run or sweep on.")
        column.addWidget(Label(appearance, words, Role.CAPTION, "text-3"))

    def show_baselines(self, baselines: tuple[SeriesKey, ...]) -> None:
        """Tick these."""
        for key, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(key in baselines)
            box.blockSignals(False)

    def _on_toggled(self, _on: bool) -> None:
        self.chosen.emit(tuple(key for key, box in self.boxes.items() if box.isChecked()))
