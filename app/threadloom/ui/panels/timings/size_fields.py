# SPDX-License-Identifier: MIT
"""Which sizes a sweep times: from, to and the factor between them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from threadloom.text import _, count, ngettext
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.number_field import NumberField

_MOST_SIZES = 60


class SizeFields(QWidget):
    """Smallest and largest size, the factor, and from which time on a series stops."""

    edited = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields = {
            "from": NumberField(appearance, _("Minimum size"), grouped=True),
            "to": NumberField(appearance, _("Maximum size"), grouped=True),
            "factor": NumberField(appearance, _("Factor between sizes"), "×", doubling=False),
            "skip": NumberField(
                appearance, _("Time in seconds above which a size is skipped"), "s", doubling=False
            ),
        }
        for field in self.fields.values():
            field.setMinimumWidth(100)
            field.edited.connect(lambda _value: self.edited.emit())
            field.rejected.connect(lambda _text: self.edited.emit())
        self._lay_out(appearance)

    def propose(self, smallest: int, largest: int, factor: int, skip_s: float) -> None:
        """Fill the fields."""
        values = {"from": smallest, "to": largest, "factor": factor, "skip": round(skip_s)}
        for key, value in values.items():
            self.fields[key].set_value(value)

    def sizes(self) -> tuple[int, ...]:
        """Sizes from the smallest to the largest; empty while the fields make no sense."""
        numbers = [self.fields[key].value() for key in ("from", "to", "factor")]
        if any(number is None for number in numbers):
            return ()
        smallest, largest, step = (int(number or 0) for number in numbers)
        if smallest < 1 or largest < smallest or step < 2:
            return ()
        sizes = [smallest]
        while sizes[-1] * step <= largest and len(sizes) < _MOST_SIZES:
            sizes.append(sizes[-1] * step)
        return tuple(sizes) if sizes[-1] == largest else (*sizes, largest)

    def skip_above_s(self) -> float:
        """Seconds from which a size is skipped."""
        return float(max(1, self.fields["skip"].value() or 1))

    def summary(self) -> str:
        """How many sizes these are, or what is wrong."""
        sizes = self.sizes()
        if not sizes:
            return _("“From” must be at least 1, “to” at least “from”, the factor at least 2.")
        text = ngettext("{n} size, {first} to {last}", "{n} sizes, {first} to {last}", len(sizes))
        return text.format(n=len(sizes), first=count(sizes[0]), last=count(sizes[-1]))

    def _lay_out(self, appearance: Appearance) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        rows = (
            (_("From, to"), ("from", "to")),
            (_("Steps"), ("factor",)),
            (_("Skip"), ("skip",)),
        )
        for row, (title, keys) in enumerate(rows):
            grid.addWidget(Label(appearance, title, Role.BODY, "text-2"), row, 0)
            for place, key in enumerate(keys):
                grid.addWidget(self.fields[key], row, 1 + place)
        grid.addWidget(Label(appearance, _("per run or more"), Role.CAPTION, "text-3"), 2, 2)
