# SPDX-License-Identifier: MIT
"""What panels are put together from: titles, lines between sections, rows of name and value."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import ElidedLabel, Label

_BETWEEN = 8
"""Between a name and its value."""


class Line(QFrame):
    """A line of one pixel between two sections."""

    def __init__(self, *, upright: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "line")
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)


class SectionTitle(QWidget):
    """A title with room for small things at its end, 36 px high."""

    def __init__(self, appearance: Appearance, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._height = appearance, 36
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self.title = Label(appearance, text, Role.TITLE)
        self._row.addWidget(self.title)
        self._row.addStretch(1)
        appearance.changed.connect(self._fit)
        self._fit()

    def set_height(self, height: int) -> None:
        """Another height at the usual text size."""
        self._height = height
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._appearance.scaled(self._height))

    def add_beside(self, widget: QWidget) -> None:
        """Put something right after the title."""
        self._row.insertWidget(self._row.count() - 1, widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add_at_end(self, widget: QWidget) -> None:
        """Put something at the right end."""
        self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)


class ValueRow(QWidget):
    """A name on the left and its value on the right, 20 px high."""

    def __init__(
        self, appearance: Appearance, name: str, value: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._appearance = appearance
        self.name = ElidedLabel(appearance, name, Role.BODY, "text-2")
        self.value = ElidedLabel(appearance, value, Role.VALUE)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_BETWEEN)
        row.addWidget(self.name, 1)
        row.addWidget(self.value)
        appearance.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._appearance.scaled(20))
        self._share_out()

    def show_value(self, value: str, tone: str = "text") -> None:
        """Show a value in a tone of the theme."""
        self.value.setText(value)
        self.value.set_tone(tone)
        self._share_out()

    def minimumSizeHint(self) -> QSize:
        """Room for two ellipses, so that no text ever widens a panel."""
        dots = self.name.minimumSizeHint().width() + self.value.minimumSizeHint().width()
        return QSize(dots + _BETWEEN, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """The value has all the room that it needs, and the name what is left."""
        most = self.width() - _BETWEEN - self.name.minimumSizeHint().width()
        self.value.setFixedWidth(max(0, min(self.value.sizeHint().width(), most)))


class Column(QWidget):
    """A column of widgets with the side padding of panels."""

    def __init__(self, spacing: int = 6, padding: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(padding, 0, padding, 0)
        self.rows.setSpacing(spacing)
