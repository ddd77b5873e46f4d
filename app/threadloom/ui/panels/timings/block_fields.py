# SPDX-License-Identifier: MIT
"""Which blocks a sweep times: from, to and the step of each axis."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from threadloom.model.dim3 import Dim3
from threadloom.text import _, count, ngettext
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.number_field import NumberField
from threadloom.ui.widgets.segmented import Segmented

MOST_THREADS, LEAST_THREADS = 1024, 32
"""What CUDA lets a block have, and a warp, below which a plane's shapes are left out."""
_MOST_BLOCKS = 200


class BlockFields(QWidget):
    """Fields for a line of threads, or for x and y of a plane."""

    edited = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plane = False
        names = {
            "x from": _("Minimum block x"),
            "x to": _("Maximum block x"),
            "y from": _("Minimum block y"),
            "y to": _("Maximum block y"),
        }
        self.fields = {key: NumberField(appearance, name) for key, name in names.items()}
        self.step = Segmented(appearance, [("double", "× 2"), ("warp", "+ 32")], _("Block step"))
        self.step.set_value("double")
        self.step.chosen.connect(lambda _key: self.edited.emit())
        for field in self.fields.values():
            field.setMinimumWidth(100)
            field.edited.connect(lambda _value: self.edited.emit())
            field.rejected.connect(lambda _text: self.edited.emit())
        self._labels = [
            Label(appearance, text, Role.BODY, "text-2")
            for text in (_("x from, to"), _("y from, to"), _("Steps"))
        ]
        self._lay_out()

    def propose(self, *, plane: bool) -> None:
        """Fill in the usual blocks of a line or a plane."""
        self._plane = plane
        values = {"x from": 4, "x to": 128, "y from": 1, "y to": 32}
        if not plane:
            values |= {"x from": LEAST_THREADS, "x to": MOST_THREADS, "y from": 1, "y to": 1}
        for key, value in values.items():
            self.fields[key].set_value(value)
        for widget in (self._labels[1], self.fields["y from"], self.fields["y to"]):
            widget.setVisible(plane)
        self._labels[2].setVisible(not plane)
        self.step.setVisible(not plane)
        if plane:
            self.step.set_value("double")

    def blocks(self) -> tuple[Dim3, ...]:
        """Blocks from small to large; empty while the fields make no sense."""
        across, up = self._extents("x"), self._extents("y")
        least = LEAST_THREADS if self._plane else 1
        found = [Dim3(x, y) for y in up for x in across if least <= x * y <= MOST_THREADS]
        return tuple(found) if len(found) <= _MOST_BLOCKS else ()

    def summary(self) -> str:
        """How many blocks these are, or what is wrong."""
        blocks = self.blocks()
        if not blocks:
            return _(
                "“From” must be at least 1, “to” at least “from”; a block has at most 1,024 "
                "threads."
            )
        text = ngettext("{n} block", "{n} blocks", len(blocks)).format(n=count(len(blocks)))
        if self._plane:
            return _("{blocks} with 32 to 1,024 threads").format(blocks=text)
        return text

    def _extents(self, axis: str) -> list[int]:
        low, high = (self.fields[f"{axis} {end}"].value() for end in ("from", "to"))
        if low is None or high is None or low < 1 or high < low or high > MOST_THREADS:
            return []
        found = [int(low)]
        doubles = self.step.value() == "double"
        while (following := found[-1] * 2 if doubles else found[-1] + 32) <= high:
            found.append(following)
        return found

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        for row, (label, axis) in enumerate(zip(self._labels, ("x", "y"), strict=False)):
            grid.addWidget(label, row, 0)
            grid.addWidget(self.fields[f"{axis} from"], row, 1)
            grid.addWidget(self.fields[f"{axis} to"], row, 2)
        grid.addWidget(self._labels[2], 2, 0)
        grid.addWidget(self.step, 2, 1, 1, 2)
