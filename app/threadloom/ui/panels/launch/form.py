# SPDX-License-Identifier: MIT
"""A row of the launch panel: a label of 52 px, what is set, and a validation_message below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label

LABEL_WIDTH = 52


class FormRow(QWidget):
    """A label, some controls side by side, and a line for what is wrong with them."""

    def __init__(self, appearance: Appearance, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        self.label = Label(appearance, text, Role.BODY, "text-2")
        grid.addWidget(self.label, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._grid = grid
        self._validation_message = Label(appearance, "", Role.CAPTION, "error", wrap=True)
        self._validation_message.hide()
        grid.addWidget(self._validation_message, 9, 1)
        self._appearance = appearance
        appearance.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.label.setFixedHeight(self._appearance.scaled(26))
        self._grid.setColumnMinimumWidth(0, self._appearance.scaled(LABEL_WIDTH))

    def put(self, *widgets: QWidget, row: int = 0) -> QHBoxLayout:
        """Set controls side by side with equal widths, which the layout can change."""
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        for widget in widgets:
            line.addWidget(widget, 1)
        self._grid.addLayout(line, row, 1)
        return line

    def print_error(self, text: str) -> None:
        """Say below the controls what is wrong; nothing if empty."""
        self._validation_message.setText(text)
        self._validation_message.setVisible(bool(text))

    @property
    def validation_message(self) -> str:
        """What is said below the controls."""
        return self._validation_message.text()
