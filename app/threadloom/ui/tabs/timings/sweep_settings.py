# SPDX-License-Identifier: MIT
"""The small panel that says which sizes a sweep times, and how."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from threadloom.model.samples import StopRule
from threadloom.text import _, count, ngettext
from threadloom.ui.store import SweepChoices
from threadloom.ui.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.number_field import NumberField

_MOST_SIZES = 60


class SweepSettings(QFrame):
    """From, to, step, runs and the time above which a series stops."""

    started = Signal()
    """Time these sizes."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self.setProperty("look", "card")
        self.changed_by_person = False
        self._fields = {
            "from": NumberField(appearance, _("Smallest size"), grouped=True),
            "to": NumberField(appearance, _("Largest size"), grouped=True),
            "factor": NumberField(appearance, _("Factor between sizes"), "×", doubling=False),
            "runs": NumberField(appearance, _("Runs of each size"), _("runs"), doubling=False),
            "skip": NumberField(
                appearance, _("Seconds from which a size is skipped"), "s", doubling=False
            ),
        }
        self._summary = Label(appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._start = Button(appearance, _("Run sweep"), "primary")
        self._start.clicked.connect(self._on_start_clicked)
        self.setMinimumWidth(round(330 * appearance.text_scale))
        self._lay_out()
        for field in self._fields.values():
            field.setMinimumWidth(100)
            field.edited.connect(self._on_edited)
            field.rejected.connect(self._on_edited)

    def propose(self, smallest: int, largest: int, factor: int, choices: SweepChoices) -> None:
        """Fill the fields, unless a person has done so."""
        if self.changed_by_person:
            return
        values = {
            "from": smallest,
            "to": largest,
            "factor": factor,
            "runs": choices.rule.most,
            "skip": round(choices.skip_above_s),
        }
        for name, value in values.items():
            self._fields[name].set_value(value)
        self._look()

    def forget(self) -> None:
        """Take proposals again: another operation was chosen."""
        self.changed_by_person = False

    def sizes(self) -> tuple[int, ...]:
        """Sizes from the smallest to the largest; empty while the fields make no sense."""
        numbers = [self._fields[name].value() for name in ("from", "to", "factor")]
        if any(number is None for number in numbers):
            return ()
        smallest, largest, step = (int(number or 0) for number in numbers)
        if smallest < 1 or largest < smallest or step < 2:
            return ()
        sizes = [smallest]
        while sizes[-1] * step <= largest and len(sizes) < _MOST_SIZES:
            sizes.append(sizes[-1] * step)
        return tuple(sizes) if sizes[-1] == largest else (*sizes, largest)

    def choices(self) -> SweepChoices:
        """How each size is measured."""
        runs = max(1, self._fields["runs"].value() or 1)
        skip = max(1, self._fields["skip"].value() or 1)
        rule = StopRule(least=min(5, runs), most=runs, time_limit_s=0.5)
        return SweepChoices(rule, float(skip))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(Label(self._appearance, _("Sweep"), Role.TITLE))
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        rows = (
            (_("From, to"), ("from", "to")),
            (_("Steps"), ("factor", "runs")),
            (_("Skip"), ("skip",)),
        )
        for number, (title, names) in enumerate(rows):
            grid.addWidget(Label(self._appearance, title, Role.BODY, "text-2"), number, 0)
            for place, name in enumerate(names):
                grid.addWidget(self._fields[name], number, 1 + place)
        grid.addWidget(Label(self._appearance, _("per run or more"), Role.CAPTION, "text-3"), 2, 2)
        column.addLayout(grid)
        column.addWidget(self._summary)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._start)
        column.addLayout(buttons)

    def _on_edited(self, _value: object) -> None:
        self.changed_by_person = True
        self._look()

    def _look(self) -> None:
        sizes = self.sizes()
        self._start.setEnabled(bool(sizes))
        if sizes:
            text = ngettext(
                "{n} size, {first} to {last}", "{n} sizes, {first} to {last}", len(sizes)
            )
            self._summary.setText(
                text.format(n=len(sizes), first=count(sizes[0]), last=count(sizes[-1]))
            )
        else:
            self._summary.setText(_("“From” is 1 or more, “to” not below it, the step 2 or more."))

    def _on_start_clicked(self) -> None:
        self.hide()
        self.started.emit()
