# SPDX-License-Identifier: MIT
"""Fields for the extents of the problem, with one slider for all that a bare size sets."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from threadloom.model.operation import Operation
from threadloom.presentation.launch.validation_message import no_number
from threadloom.text import _, count
from threadloom.ui.panels.launch.form import FormRow
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.log_slider import LogSlider
from threadloom.ui.widgets.number_field import NumberField
from threadloom_kernels import MAX_ELEMENTS

_HIGHEST = {1: 100_000_000, 2: 8192, 3: 1024}
"""End of the slider by the number of axes that it moves."""


class SizeRow(FormRow):
    """One field an axis and a slider."""

    edited = Signal(object)
    """Mapping of axis to int that a user has entered."""
    launch_pasted = Signal(str)

    def __init__(
        self, appearance: Appearance, operation: Operation, parent: QWidget | None = None
    ) -> None:
        single = len(operation.axes) == 1
        text = _("Size {axis}") if single else _("Size")
        super().__init__(appearance, text.format(axis=operation.axes[0].name), parent)
        self.operation_name = operation.name
        self._sizes: dict[str, int] = operation.sizes({})
        self._least = {axis.name: axis.minimum for axis in operation.axes}
        self._moved = [axis.name for axis in operation.axes if axis.set_by_bare_size]
        self.fields = {
            axis.name: self._field(appearance, axis.name, axis.title, "" if single else axis.name)
            for axis in operation.axes
        }
        self._lay_out()
        high = _HIGHEST.get(len(self._moved), _HIGHEST[3])
        self.slider = LogSlider(appearance, _("Size"), 1, high)
        self.slider.moved.connect(self._on_slider_moved)
        self.put(self.slider, row=3)

    def show_value(self, sizes: Mapping[str, int]) -> None:
        """Show these extents."""
        self._sizes = dict(sizes)
        for name, field in self.fields.items():
            field.set_value(self._sizes[name])
        self._show_on_slider()

    def show_complaints(self, found: Mapping[str, str]) -> None:
        """Mark the fields that findings speak of, and extents that no kernel takes."""
        words = {name: found.get(f"size.{name}", "") or self._fault(name) for name in self.fields}
        for name, field in self.fields.items():
            field.set_faulty(bool(words[name]), words[name])
        self.print_error(next((text for text in words.values() if text), ""))

    def _lay_out(self) -> None:
        fields = list(self.fields.values())
        wordy = len(fields) > 2 and any(len(name) > 2 for name in self.fields)
        if wordy:
            self.put(*fields[:2])
            self.put(*fields[2:], row=1)
        else:
            self.put(*fields)

    def _field(self, appearance: Appearance, name: str, title: str, prefix: str) -> NumberField:
        field = NumberField(appearance, _(title) if title else name, prefix, grouped=True)
        field.setToolTip(_(title) if title else "")
        field.setObjectName(f"size.{name}")
        field.edited.connect(lambda value: self._on_edited(name, value))
        field.rejected.connect(lambda text: self._on_rejected(name, text))
        field.launch_pasted.connect(self.launch_pasted)
        return field

    def _fault(self, name: str) -> str:
        value, least = self._sizes[name], self._least[name]
        if value < least:
            return _("At least {limit}").format(limit=count(least))
        if value > MAX_ELEMENTS:
            return _("At most {limit}").format(limit=count(MAX_ELEMENTS))
        return ""

    def _show_on_slider(self) -> None:
        if self._moved:
            self.slider.set_number(max(1, self._sizes[self._moved[0]]))

    def _on_edited(self, name: str, value: int) -> None:
        self._sizes[name] = value
        self._tell()
        self._show_on_slider()

    def _on_slider_moved(self, value: int) -> None:
        for name in self._moved:
            self._sizes[name] = value
            self.fields[name].setText(count(value))
        self._tell()

    def _on_rejected(self, name: str, text: str) -> None:
        self.fields[name].set_faulty(True, no_number(text))
        self.print_error(no_number(text))

    def _tell(self) -> None:
        self.show_complaints({})
        self.edited.emit(dict(self._sizes))
