# SPDX-License-Identifier: MIT
"""The slim strip above the code: which file, which kernel, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from threadloom.presentation.picker_entry import Entry
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button, IconButton
from threadloom.ui.widgets.label import ElidedLabel
from threadloom.ui.widgets.picker import Picker


class SourceBar(QWidget):
    """Shown while there is something to choose or to take back."""

    entry_picked = Signal(str)
    reverted = Signal()
    open_asked = Signal()
    save_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._signature = ElidedLabel(appearance, "", Role.CODE, "text-2")
        self._entry = Picker(appearance, _("Kernel to launch"), prefix=_("Kernel"), height=24)
        self._entry.picked.connect(self.entry_picked)
        self._revert = Button(appearance, _("Restore variant source"), icon="reset")
        self._revert.clicked.connect(self.reverted)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self._entry)
        row.addWidget(self._signature, 1)
        row.addWidget(self._revert)
        for words, icon, asked in (
            (_("Open .cu file (Ctrl+O)"), "folder", self.open_asked),
            (_("Save .cu file (Ctrl+S)"), "save", self.save_asked),
        ):
            button = IconButton(appearance, icon, words)
            button.clicked.connect(asked)
            row.addWidget(button)

    def show_state(
        self, kernels: tuple[str, ...], entry: str, signature: str, *, edited: bool
    ) -> None:
        """Offer the kernels of the source, and the way back if it was edited."""
        self._entry.set_entries([Entry(name, name) for name in kernels])
        self._entry.set_key(entry)
        self._entry.setVisible(len(kernels) > 1)
        self._signature.setText(signature)
        self._revert.setVisible(edited)
