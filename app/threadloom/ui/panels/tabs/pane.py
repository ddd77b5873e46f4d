# SPDX-License-Identifier: MIT
"""What the content of a tab tells the bar above it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from threadloom.model.provenance import Provenance
from threadloom.presentation.provenance_text import provenance_words
from threadloom.ui.figures.figure import Figure
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance


@dataclass(frozen=True, slots=True)
class Mark:
    """A chip in the tab bar."""

    text: str
    kind: str = "neutral"


@dataclass(frozen=True, slots=True)
class Header:
    """What the tab bar shows for a tab."""

    marks: tuple[Mark, ...] = ()
    caption: str = ""
    figure: str = ""
    """Name of the figure that the export button means; empty for none."""


class Pane(QWidget):
    """Content of one tab. It follows the store and says what its header is."""

    header_changed = Signal()

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.store, self.appearance = store, appearance
        self.header = Header()
        self.setProperty("look", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def exported(self) -> Figure | None:
        """The figure that is shown, if it is one that can be exported."""
        return None

    def show_header(self, header: Header) -> None:
        """Tell the tab bar what to show."""
        if header != self.header:
            self.header = header
            self.header_changed.emit()


def provenance_marks(provenances: set[Provenance]) -> tuple[Mark, ...]:
    """A chip for each origin of what is shown."""
    kinds = {Provenance.MODELED: "info"}
    return tuple(
        Mark(provenance_words(one), kinds.get(one, "neutral"))
        for one in Provenance
        if one in provenances
    )
