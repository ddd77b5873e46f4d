# SPDX-License-Identifier: MIT
"""One limit: its name, the figure against what is allowed, a bar and a caption."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from threadloom.presentation.launch.limit_readings import Reading
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.meter import Meter
from threadloom.ui.widgets.section import ValueRow


class MeterRow(QWidget):
    """Shows one reading."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self._row = ValueRow(appearance, name)
        self._meter = Meter(appearance)
        self._caption = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._caption.setContentsMargins(0, 2, 0, 0)
        self._short = False
        for widget in (self._row, self._meter, self._caption):
            column.addWidget(widget)
        self._caption.hide()

    def show_reading(self, reading: Reading) -> None:
        """Show a figure."""
        self._row.show_value(reading.value, reading.tone)
        self._meter.show_share(reading.share, reading.fill)
        self._caption.setText(reading.caption)
        self._caption.setVisible(bool(reading.caption) and not self._short)
        self.setAccessibleDescription(f"{reading.value}. {reading.caption}")

    def set_short(self, short: bool) -> None:
        """Leave the caption out where the window is low."""
        self._short = short
        self._caption.setVisible(bool(self._caption.text()) and not short)

    @property
    def value(self) -> str:
        """The figure as it is shown."""
        return self._row.value.text()

    @property
    def caption(self) -> str:
        """The sentence below the bar."""
        return self._caption.text()
