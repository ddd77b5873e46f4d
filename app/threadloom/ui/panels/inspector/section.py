# SPDX-License-Identifier: MIT
"""Sections of the panel: a small title, rows of facts, a line at the end."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from threadloom.presentation.fact import Fact
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import ElidedLabel, Label
from threadloom.ui.widgets.section import Line, ValueRow

PADDING = 16


class Section(QWidget):
    """A titled stretch of the panel with a line below."""

    def __init__(
        self,
        appearance: Appearance,
        title: str = "",
        *,
        padding: int = PADDING,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance = appearance
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.rows = QVBoxLayout()
        self.rows.setContentsMargins(padding, 4, padding, 12)
        self.rows.setSpacing(4)
        self.note: ElidedLabel | None = None
        if title:
            outer.addLayout(self._heading(title))
        outer.addLayout(self.rows)
        outer.addWidget(Line())

    def show_note(self, words: str) -> None:
        """Say something at the right end of the title."""
        if self.note is not None:
            self.note.setText(words)

    def _heading(self, title: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(PADDING, 12, PADDING, 0)
        row.setSpacing(8)
        self.title = Label(self._appearance, title, Role.BUTTON, "text-2")
        self.note = ElidedLabel(self._appearance, "", Role.CAPTION, "text-3")
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.note)
        return row


def stack(page: QWidget, *sections: QWidget) -> None:
    """Lay a page's sections out below each other, from its top."""
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for section in sections:
        column.addWidget(section)
    column.addStretch(1)


class Facts(QWidget):
    """Rows of names and values; rows are kept and reused."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._rows: list[ValueRow] = []

    def show_facts(self, facts: list[Fact]) -> None:
        """Show these, hide what is left."""
        while len(self._rows) < len(facts):
            row = ValueRow(self._appearance, "")
            self._column.addWidget(row)
            self._rows.append(row)
        for row, fact in zip(self._rows, facts, strict=False):
            row.name.setText(fact.name)
            row.show_value(fact.value, fact.tone)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(facts))

    def texts(self) -> list[tuple[str, str]]:
        """Names and values that are shown."""
        return [(row.name.text(), row.value.text()) for row in self._rows if not row.isHidden()]
