# SPDX-License-Identifier: MIT
"""A page with a control for each declared setting; each change counts at once."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from threadloom.services.storage.settings import Declaration, declarations
from threadloom.services.storage.versioned_file import ValueRefusedError
from threadloom.text import _, count, language_name
from threadloom.ui.app.preferences import Preferences
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.number_field import NumberField
from threadloom.ui.widgets.segmented import Segmented


class SettingsDialog(QDialog):
    """Shows the settings as they are declared."""

    def __init__(
        self, preferences: Preferences, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._preferences, self._appearance = preferences, appearance
        self.setWindowTitle(_("Settings"))
        self.setMinimumWidth(560)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(20, 16, 20, 16)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(Label(appearance, _("Settings"), Role.STEP_TITLE), 0, 0, 1, 2)
        self._fault = Label(appearance, "", Role.CAPTION, "error", wrap=True)
        row = 1
        for key, declared in declarations().items():
            row = self._add(row, key, declared)
        self._grid.addWidget(self._fault, row, 0, 1, 2)
        self._grid.addLayout(self._make_foot(), row + 1, 0, 1, 2)

    def control(self, key: str) -> QWidget | None:
        """The control of one setting."""
        found: QWidget | None = self.findChild(QWidget, f"setting.{key}")
        return found

    def _add(self, row: int, key: str, declared: Declaration) -> int:
        control = self._make(key, declared)
        control.setObjectName(f"setting.{key}")
        control.setAccessibleName(_(declared.title))
        if isinstance(control, QCheckBox):
            self._grid.addWidget(control, row, 1)
        else:
            self._grid.addWidget(Label(self._appearance, _(declared.title)), row, 0)
            self._grid.addWidget(control, row, 1)
        if declared.help:
            text = Label(self._appearance, _(declared.help), Role.CAPTION, "text-3", wrap=True)
            self._grid.addWidget(text, row + 1, 1)
        self._grid.setRowMinimumHeight(row + 2, 4)
        return row + 3

    def _make(self, key: str, declared: Declaration) -> QWidget:
        value = getattr(self._preferences.settings, key)
        if isinstance(value, bool):
            return self._make_check(key, declared, value)
        if declared.choices:
            return self._make_choice(key, declared, value)
        if isinstance(value, int):
            return self._make_number(key, declared, value)
        return self._make_text(key, str(value))

    def _make_check(self, key: str, declared: Declaration, value: bool) -> QWidget:
        box = QCheckBox(_(declared.title))
        box.setChecked(value)
        box.toggled.connect(lambda on: self._change(key, on))
        return box

    def _make_choice(self, key: str, declared: Declaration, value: object) -> QWidget:
        texts = [(str(choice), self._choice_text(choice, declared)) for choice in declared.choices]
        made = Segmented(self._appearance, texts, _(declared.title), stretch=True)
        made.set_value(str(value))
        kinds = {str(choice): choice for choice in declared.choices}
        made.chosen.connect(lambda chosen: self._change(key, kinds[chosen]))
        return made

    def _choice_text(self, choice: str | int, declared: Declaration) -> str:
        if isinstance(choice, int):
            return f"{count(choice)} {declared.unit}".strip()
        words = {
            "system": _("System"),
            "dark": _("Dark"),
            "light": _("Light"),
            "on": _("On"),
            "off": _("Off"),
        }
        return words.get(choice) or language_name(choice)

    def _make_number(self, key: str, declared: Declaration, value: int) -> QWidget:
        field = NumberField(self._appearance, _(declared.title), declared.unit, doubling=False)
        field.set_value(value)
        field.edited.connect(lambda number: self._change(key, number))
        field.rejected.connect(
            lambda text: self._fault.setText(_("“{text}” is not a number.").format(text=text))
        )
        return field

    def _make_text(self, key: str, value: str) -> QWidget:
        field = QLineEdit(value)
        field.setProperty("look", "field")
        field.setFixedHeight(26)
        field.editingFinished.connect(lambda: self._change(key, field.text()))
        return field

    def _make_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        done = Button(self._appearance, _("Done"), "primary", height=30)
        done.setDefault(True)
        done.clicked.connect(self.accept)
        foot.addStretch(1)
        foot.addWidget(done)
        return foot

    def _change(self, key: str, value: object) -> None:
        try:
            self._preferences.change(self._preferences.settings.with_(**{key: value}))
        except ValueRefusedError as error:
            self._fault.setText(error.reason)
        else:
            self._fault.setText("")
