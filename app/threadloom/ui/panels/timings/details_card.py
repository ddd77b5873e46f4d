# SPDX-License-Identifier: MIT
"""A card that tells how what is shown was measured."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from threadloom.presentation.fact import Fact, Facts
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.scroll_panel import ScrollPanel
from threadloom.ui.widgets.section import Line

_WIDTH, _NAME_WIDTH, _MOST_HEIGHT = 440, 220, 460


class DetailsCard(QFrame):
    """Names and values, section by section; Esc closes it."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self.setProperty("look", "card")
        self.setAccessibleName(_("Measurement details"))
        self._panel = ScrollPanel()
        self._panel.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 12, 1, 8)
        column.setSpacing(8)
        title = Label(appearance, _("Measurement details"), Role.TITLE)
        title.setContentsMargins(16, 0, 16, 0)
        column.addWidget(title)
        column.addWidget(Line())
        column.addWidget(self._panel, 1)
        self.rows: list[tuple[str, str]] = []
        """Names and values as shown."""

    def show_facts(self, sections: Sequence[Facts]) -> None:
        """Show these sections, and take the height that they need."""
        page = QWidget()
        page.setProperty("look", "panel")
        grid = QGridLayout(page)
        grid.setContentsMargins(16, 4, 16, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        self.rows = []
        for facts in sections:
            title = Label(self._appearance, facts.title, Role.VALUE, "text")
            title.setContentsMargins(0, 8, 0, 2)
            grid.addWidget(title, grid.rowCount(), 0, 1, 2)
            for fact in facts.rows:
                self._add(grid, fact)
        grid.setRowStretch(grid.rowCount(), 1)
        self._panel.setWidget(page)
        scaled = self._appearance.scaled
        width = scaled(_WIDTH)
        page.setFixedWidth(width - 2)
        needed = grid.heightForWidth(width - 2) + scaled(56)
        self.setFixedSize(width, min(needed, scaled(_MOST_HEIGHT)))

    def _add(self, grid: QGridLayout, fact: Fact) -> None:
        """A name and, wrapped where it is long, its value."""
        row = grid.rowCount()
        name = Label(self._appearance, fact.name, Role.BODY, "text-2")
        most = self._appearance.scaled(_NAME_WIDTH)
        if name.sizeHint().width() > most:
            name.setWordWrap(True)
            name.setFixedWidth(most)
        value = Label(self._appearance, fact.value, Role.BODY, fact.tone, wrap=True)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, row, 1)
        self.rows.append((fact.name, fact.value))
