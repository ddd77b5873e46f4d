# SPDX-License-Identifier: MIT
"""The panel's page on a rectangle that was drawn in the mapping."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from threadloom.presentation.inspector.selection_details import selection_facts, selection_title
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.presentation.mapping.region import Selection
from threadloom.text import _
from threadloom.ui.panels.inspector.section import Facts, Section, stack
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label


class SelectionPage(QWidget):
    """Sums over what is selected."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._section = Section(appearance, _("Elements"))
        self.facts = Facts(appearance)
        note = Label(appearance, _("Press Esc to clear the selection."), Role.CAPTION, "text-3")
        self._section.rows.addWidget(self.facts)
        self._section.rows.addWidget(note)
        stack(self, self._section)

    def show_selection(self, model: MappingModel, selection: Selection) -> None:
        """Tell what is selected and what it comes to."""
        self._section.title.setText(selection_title(selection))
        self.facts.show_facts(selection_facts(model, selection))
