# SPDX-License-Identifier: MIT
"""A row of choices of which one is taken."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from threadloom.ui.theme.theme import Appearance, Role


class Segmented(QFrame):
    """An exclusive group of buttons in one frame; the arrow keys move the choice."""

    chosen = Signal(str)
    """Key of what a user has picked; not emitted by `set_value`."""

    def __init__(
        self,
        appearance: Appearance,
        choices: Sequence[tuple[str, str]],
        name: str,
        *,
        stretch: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._stretch = appearance, stretch
        self.setProperty("look", "segmented")
        self.setAccessibleName(name)
        self.setFixedHeight(appearance.scaled(26))
        self._buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(1, 1, 1, 1)
        self._row.setSpacing(0)
        self.set_choices(choices)
        appearance.changed.connect(self._on_appearance_changed)

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer other choices, as pairs of key and text."""
        if [(key, button.text()) for key, button in self._buttons.items()] == list(choices):
            return
        for button in self._buttons.values():
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.deleteLater()
        self._buttons = {key: self._button(key, text) for key, text in choices}

    def show_texts(self, texts: Sequence[str]) -> None:
        """Write other texts on the buttons, such as shorter ones; their names stay."""
        for button, text in zip(self._buttons.values(), texts, strict=True):
            if button.text() != text:
                button.setText(text)
                self._fit(button)
        self._row.activate()
        self.updateGeometry()

    def buttons(self) -> tuple[QToolButton, ...]:
        """The buttons, in their order."""
        return tuple(self._buttons.values())

    def value(self) -> str:
        """Key of the choice, empty while there is none."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def set_value(self, key: str) -> None:
        """Take a choice without saying so."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)

    def set_choice_enabled(self, key: str, enabled: bool, tip: str = "") -> None:
        """Let a choice be taken or not, with the reason as its tip."""
        self._buttons[key].setEnabled(enabled)
        self._buttons[key].setToolTip(tip)

    def _button(self, key: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setCheckable(True)
        button.setProperty("look", "segment")
        button.setAccessibleName(f"{self.accessibleName()}: {text}")
        self._fit(button)
        across = QSizePolicy.Policy.Expanding if self._stretch else QSizePolicy.Policy.Preferred
        button.setSizePolicy(across, QSizePolicy.Policy.Expanding)
        button.clicked.connect(lambda _on=False: self.chosen.emit(key))
        self._group.addButton(button)
        self._row.addWidget(button, 1 if self._stretch else 0)
        return button

    def _on_appearance_changed(self) -> None:
        self.setFixedHeight(self._appearance.scaled(26))
        for button in self._buttons.values():
            self._fit(button)

    def _fit(self, button: QToolButton) -> None:
        """Room for the text as it is when it is chosen: bolder than the others."""
        button.setFont(self._appearance.font(Role.BODY))
        widest = QFontMetrics(self._appearance.font(Role.TITLE))
        wide = widest.horizontalAdvance(button.text()) * 12 // 13
        button.setMinimumWidth(0 if self._stretch else wide + 14)
