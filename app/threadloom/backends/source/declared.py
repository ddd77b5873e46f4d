# SPDX-License-Identifier: MIT
"""Numbers and extents that host code declares before a launch, and those of the launch itself."""

from __future__ import annotations

from collections.abc import Mapping

from threadloom.backends.source.expression import (
    VALUES,
    CType,
    Evaluator,
    ExpressionError,
    Value,
    parse_expression,
    type_named,
)
from threadloom.backends.source.expression.tree import Cast, Extents, Name, Part
from threadloom.backends.source.launch_syntax import Declared, Stretch
from threadloom.model.dim3 import Dim3
from threadloom.text import _


class Declarations:
    """What the names stand for so far. Errors are at their place in the whole text."""

    def __init__(self, names: Mapping[str, Value]) -> None:
        self._values = dict(names)
        self._extents: dict[str, Dim3] = {}

    def declare(self, declared: Declared) -> None:
        """Take in one declaration; one of another type is passed over."""
        kind = type_named(declared.type)
        if declared.type == "dim3":
            self._extents[declared.name] = dims = self.dims(declared.value)
            self._values.pop(declared.name, None)
            for axis, extent in zip("xyz", dims, strict=True):
                self._values[f"{declared.name}.{axis}"] = Value(extent, CType.UINT)
        elif kind is not None or declared.type == "auto":
            part = parse_expression(declared.value.text)
            part = Cast(part.start, part.end, kind, part) if kind else part
            self._values[declared.name] = self._value(declared.value, part)

    def dims(self, stretch: Stretch) -> Dim3:
        """A whole number, ``dim3(…)``, ``{…}`` or the name of a ``dim3``."""
        part = parse_expression(stretch.text)
        if isinstance(part, Name) and part.name in self._extents:
            return self._extents[part.name]
        if not isinstance(part, Extents):
            return Dim3(self.whole(stretch))
        values = [self._whole(stretch, one) for one in part.values]
        if len(values) > 3:
            text = _("dim3 takes up to three numbers (x, y, z); {given} were given.")
            raise stretch.error(text.format(given=len(values)), part.start, part.end)
        # ``dim3()`` is one block or thread, as the type's own default.
        return Dim3.of(values or [1])

    def whole(self, stretch: Stretch) -> int:
        """An expression whose value is a whole number."""
        return self._whole(stretch, parse_expression(stretch.text))

    def _whole(self, stretch: Stretch, part: Part) -> int:
        value = self._value(stretch, part).number
        if value != int(value):
            text = _("{value} is not an integer. Round it up, as in (n + 255) / 256.")
            raise stretch.error(text.format(value=f"{value:.6g}"), part.start, part.end)
        return int(value)

    def _value(self, stretch: Stretch, part: Part) -> Value:
        try:
            return Evaluator(VALUES, self._values).of(part)
        except ExpressionError as error:
            raise stretch.error(error.message, error.start, error.end) from error
