# SPDX-License-Identifier: MIT
"""The right panel: beside the center in a wide window, a strip with one button in a narrow one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from threadloom.text import _
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.button import IconButton

STRIP_WIDTH = 36
LEAST_WIDTH, USUAL_WIDTH, MOST_WIDTH = 240, 264, 360


class FoldedPanel(QWidget):
    """Holds a panel; folded, its button opens it for a while."""

    folded_changed = Signal(bool)

    def __init__(
        self, appearance: Appearance, content: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._appearance, self._content = appearance, content
        self._folded = False
        self.setProperty("look", "panel")
        self._strip = QWidget()
        self._strip.setProperty("look", "panel")
        self._strip.setFixedWidth(STRIP_WIDTH)
        self._button = IconButton(appearance, "unfold", _("Show right panel"))
        self._button.clicked.connect(lambda: self.set_folded(not self._folded))
        strip = QVBoxLayout(self._strip)
        strip.setContentsMargins(4, 4, 4, 4)
        strip.addWidget(self._button)
        strip.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._strip)
        row.addWidget(content, 1)
        self._narrow = False
        appearance.changed.connect(self._apply)
        self._apply()

    @property
    def folded(self) -> bool:
        """Whether only the strip is seen."""
        return self._folded

    def set_narrow(self, narrow: bool) -> None:
        """The window has become narrow, or wide again."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.set_folded(narrow)
            self._apply()

    def set_folded(self, folded: bool) -> None:
        """Show only the strip, or the panel."""
        self._folded = folded
        self._apply()
        self.folded_changed.emit(folded)

    def _apply(self) -> None:
        self._content.setVisible(not self._folded)
        self._strip.setVisible(self._narrow)
        strip = STRIP_WIDTH if self._narrow else 0
        if self._folded:
            self.setFixedWidth(strip)
        else:
            self.setMinimumWidth(self._appearance.scaled(LEAST_WIDTH) + strip)
            self.setMaximumWidth(self._appearance.scaled(MOST_WIDTH) + strip)
