# SPDX-License-Identifier: MIT
"""What a user chooses in the export dialog."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from threadloom.presentation.export.page_size import PageSize
from threadloom.presentation.export.page_text import Extras
from threadloom.presentation.export.preset import CUSTOM, PRESETS, key_of, preset
from threadloom.presentation.picker_entry import Entry
from threadloom.text import _
from threadloom.ui.dialogs.export.offer import Offer
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.number_field import NumberField
from threadloom.ui.widgets.picker import Picker
from threadloom.ui.widgets.section import Line
from threadloom.ui.widgets.segmented import Segmented

WIDTH = 298
_FORMATS = (("png", "PNG"), ("svg", "SVG"), ("pdf", "PDF"), ("csv", "CSV"), ("json", "JSON"))
DATA = frozenset({"csv", "json"})
"""Formats that hold the samples and no picture."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Everything in the form."""

    figure: str
    format: str
    paper: PageSize
    theme: str
    extras: Extras
    csv: bool


class Form(QWidget):
    """Figure, format, size, text, theme, and what stands beside the figure."""

    changed = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setProperty("look", "panel")
        self.setFixedWidth(WIDTH)
        self._offers: list[Offer] = []
        self.what = Picker(appearance, _("Figure"), height=26)
        self.format = Segmented(appearance, _FORMATS, _("Format"), stretch=True)
        self.preset = Picker(appearance, _("Size"), height=26)
        self.width_mm = NumberField(appearance, _("Width in mm"), "W", doubling=False)
        self.height_mm = NumberField(appearance, _("Height in mm"), "H", doubling=False)
        self.text_pt = NumberField(appearance, _("Text size in points"), doubling=False)
        self.theme = Segmented(appearance, _themes(), _("Theme"), stretch=True)
        self._use = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self.boxes = {key: QCheckBox(title) for key, title in _boxes()}
        self._fill()
        self._lay_out()
        self._connect()

    def offer(self, offers: list[Offer], key: str) -> None:
        """Offer these figures, and choose one of them."""
        self._offers = offers
        self.what.set_entries([Entry(one.key, one.title) for one in offers])
        self.what.set_key(key)
        self._on_changed()

    def chosen(self) -> Offer | None:
        """The figure that is chosen."""
        return next((one for one in self._offers if one.key == self.what.key()), None)

    def choice(self) -> Choice:
        """Everything in the form."""
        on = {key: box.isChecked() and box.isEnabled() for key, box in self.boxes.items()}
        extras = Extras(
            title=on["title"],
            spread=on["spread"],
            break_even=on["break_even"],
            caption=on["caption"],
            transparent=on["transparent"],
        )
        return Choice(
            figure=self.what.key(),
            format=self.format.value(),
            paper=PageSize(
                float(self.width_mm.value() or 0),
                float(self.height_mm.value() or 0),
                float(self.text_pt.value() or 0),
            ),
            theme=self.theme.value(),
            extras=extras,
            csv=on["csv"],
        )

    def _fill(self) -> None:
        first = PRESETS[0]
        entries = [Entry(p.key, _(p.title)) for p in PRESETS] + [Entry(CUSTOM, _("Custom"))]
        self.preset.set_entries(entries)
        self.format.set_value("svg")
        self.theme.set_value("print")
        self._take_preset(first.key)
        for key, box in self.boxes.items():
            box.setChecked(key not in {"transparent"})

    def _take_preset(self, key: str) -> None:
        found = preset(key)
        if found is not None:
            self.width_mm.set_value(found.width_mm)
            self.height_mm.set_value(found.height_mm)
            self.text_pt.set_value(found.text_pt)
            self._use.setText(_(found.use))

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(20, 16, 20, 14)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(10)
        grid.setColumnMinimumWidth(0, 52)
        grid.setColumnStretch(1, 1)
        sides, text = QHBoxLayout(), QHBoxLayout()
        sides.setSpacing(6)
        text.setSpacing(6)
        for side in (self.width_mm, self.height_mm):
            sides.addWidget(side)
            sides.addWidget(Label(self._appearance, _("mm"), Role.CAPTION, "text-3"))
        text.addWidget(self.text_pt)
        text.addWidget(Label(self._appearance, _("pt"), Role.CAPTION, "text-3"))
        text.addWidget(self._use)
        self.text_pt.setFixedWidth(64)
        rows: tuple[tuple[str, QWidget | QHBoxLayout], ...] = (
            (_("Content"), self.what),
            (_("Format"), self.format),
            (_("Size"), self.preset),
            ("", sides),
            (_("Text"), text),
            (_("Theme"), self.theme),
        )
        for number, (title, cell) in enumerate(rows):
            grid.addWidget(Label(self._appearance, title, Role.BODY, "text-2"), number, 0)
            if isinstance(cell, QWidget):
                grid.addWidget(cell, number, 1)
            else:
                grid.addLayout(cell, number, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(grid)
        column.addWidget(Line())
        checks = QVBoxLayout()
        checks.setContentsMargins(20, 14, 20, 14)
        checks.setSpacing(8)
        for box in self.boxes.values():
            checks.addWidget(box)
        column.addLayout(checks)
        column.addStretch(1)

    def _connect(self) -> None:
        self.what.picked.connect(self._on_changed)
        self.format.chosen.connect(self._on_changed)
        self.theme.chosen.connect(self._on_changed)
        self.preset.picked.connect(self._on_size_picked)
        for field in (self.width_mm, self.height_mm, self.text_pt):
            field.edited.connect(self._on_size_edited)
            field.rejected.connect(self._on_size_edited)
        for box in self.boxes.values():
            box.toggled.connect(self._on_changed)

    def _on_size_picked(self, key: str) -> None:
        self._take_preset(key)
        self._on_changed()

    def _on_size_edited(self, _value: object) -> None:
        width, height = self.width_mm.value(), self.height_mm.value()
        self.preset.set_key(key_of(width or 0, height or 0))
        if self.preset.key() == CUSTOM:
            self._use.setText("")
        self._on_changed()

    def _on_changed(self, _value: object = None) -> None:
        offer, form = self.chosen(), self.format.value()
        data = form in DATA
        sweep = offer is not None and offer.is_sweep
        recorded = offer is not None and offer.record is not None
        for key in DATA:
            self.format.set_choice_enabled(key, recorded)
        if data and not recorded:
            self.format.set_value("svg")
            data = False
        for key, box in self.boxes.items():
            box.setEnabled(not data and (sweep or key not in {"spread", "break_even"}))
        self.boxes["csv"].setEnabled(recorded and not data)
        for widget in (self.preset, self.width_mm, self.height_mm, self.text_pt, self.theme):
            widget.setEnabled(not data)
        self.changed.emit()


def _themes() -> tuple[tuple[str, str], ...]:
    return ("light", _("Light")), ("dark", _("Dark")), ("print", _("Print"))


def _boxes() -> tuple[tuple[str, str], ...]:
    return (
        ("title", _("Title and axis labels")),
        ("spread", _("P10–P90 range")),
        ("break_even", _("Break-even mark")),
        ("caption", _("Caption with device and versions")),
        ("transparent", _("Transparent background")),
        ("csv", _("Include the data as CSV")),
    )
