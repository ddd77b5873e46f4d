# SPDX-License-Identifier: MIT
"""The bar above the mapping: what colors what, how many axes, and zoom."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from threadloom.presentation.mapping.modes import BlockColor, DataColor, Rank
from threadloom.text import N_, _
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import IconButton
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.segmented import Segmented

HEIGHT = 36
_DATA = (
    (DataColor.OWNER, N_("Owner block"), N_("Owner")),
    (DataColor.WHEN, N_("Write time"), N_("Time")),
    (DataColor.TIMES, N_("Write count"), N_("Count")),
)
"""What colors the data, in words for a wide bar and for a narrow one."""


class TitleBar(QWidget):
    """Title, three segmented controls and the zoom buttons."""

    modes_chosen = Signal(object, object)
    """(BlockColor, DataColor)"""
    rank_chosen = Signal(object)
    """Rank"""
    zoom_in_asked = Signal()
    zoom_out_asked = Signal()
    fit_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(8)
        self._title = Label(appearance, _("Mapping"), Role.TITLE)
        row.addWidget(self._title)
        row.addSpacing(12)
        self._blocks_label = Label(appearance, _("Blocks by"), Role.BODY, "text-2")
        self._data_label = Label(appearance, _("Data by"), Role.BODY, "text-2")
        self.blocks = self._blocks(appearance)
        self.data = self._data(appearance)
        self.rank = self._rank(appearance)
        for widget in (self._blocks_label, self.blocks):
            row.addWidget(widget)
        row.addSpacing(6)
        for widget in (self._data_label, self.data):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.rank)
        self._zoom = []
        for button, signal in self._zoom_buttons(appearance):
            button.clicked.connect(signal)
            row.addWidget(button)
            self._zoom.append(button)
        appearance.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._appearance.scaled(HEIGHT))
        self._share_out()

    def minimumSizeHint(self) -> QSize:
        """Any width: what has no room is left out."""
        return QSize(0, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Leave out captions, then the title, then long words, then zoom, until the rest fits."""
        for left_out in range(5):
            for label in (self._blocks_label, self._data_label):
                label.setVisible(left_out < 1)
            self._title.setVisible(left_out < 2)
            self.data.show_texts([_(short if left_out > 2 else long) for _by, long, short in _DATA])
            for button in self._zoom:
                button.setVisible(left_out < 4)
            self._row.activate()
            if self._row.minimumSize().width() <= self.width():
                return

    def show_modes(self, blocks_by: BlockColor, data_by: DataColor) -> None:
        """Show what colors what."""
        self.blocks.set_value(blocks_by.value)
        self.data.set_value(data_by.value)

    def show_rank(self, rank: Rank, most: int) -> None:
        """Show the number of axes; ``most`` is how many the launch has."""
        self.rank.set_value(str(rank.value))
        for one in Rank:
            reason = "" if one.value <= most else _("The launch has fewer axes.")
            self.rank.set_choice_enabled(str(one.value), one.value <= most, reason)

    def _blocks(self, appearance: Appearance) -> Segmented:
        choices = (
            (BlockColor.STATE.value, _("State")),
            (BlockColor.WAVE.value, _("Wave")),
            (BlockColor.SM.value, _("SM")),
        )
        made = Segmented(appearance, choices, _("Color of blocks"))
        made.chosen.connect(self._on_modes)
        return made

    def _data(self, appearance: Appearance) -> Segmented:
        choices = [(by.value, _(long)) for by, long, _short in _DATA]
        made = Segmented(appearance, choices, _("Color of data"))
        made.chosen.connect(self._on_modes)
        return made

    def _rank(self, appearance: Appearance) -> Segmented:
        choices = (("1", _("1-D")), ("2", _("2-D")), ("3", _("3-D")))
        made = Segmented(appearance, choices, _("Axes"))
        made.chosen.connect(lambda key: self.rank_chosen.emit(Rank(int(key))))
        return made

    def _zoom_buttons(self, appearance: Appearance) -> list[tuple[IconButton, Signal]]:
        return [
            (IconButton(appearance, "zoom-out", _("Zoom out")), self.zoom_out_asked),  # type: ignore[list-item]
            (IconButton(appearance, "zoom-in", _("Zoom in")), self.zoom_in_asked),  # type: ignore[list-item]
            (IconButton(appearance, "fit", _("Fit")), self.fit_asked),  # type: ignore[list-item]
        ]

    def _on_modes(self, _key: str) -> None:
        self.modes_chosen.emit(BlockColor(self.blocks.value()), DataColor(self.data.value()))
