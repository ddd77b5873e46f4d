# SPDX-License-Identifier: MIT
"""Three fields for the extents of a block or a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from threadloom.model.dim3 import Dim3
from threadloom.presentation.launch.validation_message import no_number
from threadloom.ui.panels.launch.form import FormRow
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.number_field import NumberField

AXES = ("x", "y", "z")


class DimRow(FormRow):
    """Fields x, y and z of one `Dim3`."""

    edited = Signal(object)
    """Dim3 that a user has entered."""
    launch_pasted = Signal(str)
    """Text of a whole launch that was pasted into a field."""

    def __init__(
        self, appearance: Appearance, text: str, control: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, text, parent)
        self._control = control
        self._value = Dim3()
        self.fields = {axis: self._field(appearance, text, axis) for axis in AXES}
        self._line = self.put(*self.fields.values())
        for field in self.fields.values():
            field.textChanged.connect(self._share_out)

    def show_value(self, value: Dim3) -> None:
        """Show these extents."""
        self._value = value
        for axis, extent in zip(AXES, value, strict=True):
            self.fields[axis].set_value(extent)

    def set_read_only(self, read_only: bool) -> None:
        """Let the fields be edited or only read and copied."""
        for field in self.fields.values():
            field.setReadOnly(read_only)
            field.style().unpolish(field)
            field.style().polish(field)

    def show_complaints(self, found: Mapping[str, str]) -> None:
        """Mark the fields that findings speak of, by control such as ``block.x``."""
        words = [found.get(f"{self._control}.{axis}", "") for axis in AXES]
        for axis, text in zip(AXES, words, strict=True):
            self.fields[axis].set_faulty(bool(text), text)
        self.print_error(next((text for text in words if text), ""))

    def _share_out(self, _text: str) -> None:
        """Give a long number more of the row than a short one."""
        for place, field in enumerate(self.fields.values()):
            self._line.setStretch(place, max(5, len(field.text()) + 1))

    def _field(self, appearance: Appearance, text: str, axis: str) -> NumberField:
        field = NumberField(appearance, f"{text} {axis}", axis)
        field.setObjectName(f"{self._control}.{axis}")
        field.edited.connect(lambda value: self._on_edited(axis, value))
        field.rejected.connect(lambda typed: self._on_rejected(axis, typed))
        field.launch_pasted.connect(self.launch_pasted)
        return field

    def _on_edited(self, axis: str, value: int) -> None:
        self.fields[axis].set_faulty(False)
        self.print_error("")
        self._value = replace(self._value, **{axis: value})
        self.edited.emit(self._value)

    def _on_rejected(self, axis: str, text: str) -> None:
        self.fields[axis].set_faulty(True, no_number(text))
        self.print_error(no_number(text))
