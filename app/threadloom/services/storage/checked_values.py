# SPDX-License-Identifier: MIT
"""Values from a file, checked by the types and the constraints of a dataclass's fields.

A constraint stands beside the type: ``device: Annotated[int, Range(0, 1023)]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import partial
from typing import (
    Annotated,
    Any,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

import cattrs
from cattrs.gen import make_dict_structure_fn, override

from threadloom.model.dim3 import Dim3
from threadloom.services.storage.versioned_file import Content, ValueRefusedError
from threadloom.text import N_, _, count

FAR = 10**30
"""Numbers from here on are refused. Ones that no launch can have are read: they are explained."""

CONSTRAINT = "constraint"
"""Key of a field's metadata where a constraint may stand, too."""

Kind = TypeVar("Kind")
TypeCheck = Callable[[Any], Any]
Hook = Callable[[Any, Any], Any]
"""Of cattrs: a value and the type that it is to be."""


class WrongValueError(ValueError):
    """A value that its field does not take; the reason has a place for the key."""

    def __init__(self, reason: str, key: str = "", **values: object) -> None:
        super().__init__(reason)
        self.key = key
        self.values = values

    def about(self, key: str) -> ValueRefusedError:
        """The same, of this key unless it knows a more exact one."""
        key = self.key or key
        return ValueRefusedError(key, _(str(self)).format(key=key, **self.values))


@runtime_checkable
class Constraint(Protocol):
    """What a value must be beyond its type."""

    def check(self, value: Any, of_type: TypeCheck) -> Any:
        """The value as the field holds it; ``of_type`` checks the type alone.

        Raises:
            WrongValueError: If the field does not take it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Range:
    """An integer between two others."""

    least: int = -FAR
    most: int = FAR

    def check(self, value: Any, of_type: TypeCheck) -> Any:
        """An integer of the range."""
        if of_type(value) is not None and not self.least <= value <= self.most:
            shown = count(value) if abs(value) <= FAR else _("out of range")
            reason = N_("“{key}” is {value}, but must be between {least} and {most}.")
            least, most = count(self.least), count(self.most)
            raise WrongValueError(reason, value=shown, least=least, most=most)
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some values."""

    allowed: tuple[str | int, ...]

    def check(self, value: Any, _of_type: TypeCheck) -> Any:
        """One of the values."""
        if value not in self.allowed:
            allowed = ", ".join(str(one) for one in self.allowed)
            raise WrongValueError(N_("“{key}” must be one of: {allowed}."), allowed=allowed)
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not blank."""

    def check(self, value: Any, of_type: TypeCheck) -> Any:
        """A text that a file may name."""
        if of_type(value) is not None and (not value.strip() or "\0" in value):
            raise WrongValueError(TEXT)
        return value


@dataclass(frozen=True, slots=True)
class Name:
    """A name as in a program."""

    def check(self, value: Any, of_type: TypeCheck) -> Any:
        """Letters, digits and underscores."""
        if not re.fullmatch(r"[^\W\d]\w*", Text().check(value, of_type)):
            raise WrongValueError(
                N_("“{key}” must be a name made of letters, digits and underscores.")
            )
        return value


@dataclass(frozen=True, slots=True)
class Lines:
    """A text, or a list of its lines."""

    def check(self, value: Any, _of_type: TypeCheck) -> Any:
        """The text."""
        if value is None:
            return None
        lines = value if isinstance(value, list) else [value]
        if not all(isinstance(line, str) and "\0" not in line for line in lines):
            raise WrongValueError(N_("“{key}” must be a list of strings."))
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Axes:
    """An extent by axis."""

    def check(self, value: Any, _of_type: TypeCheck) -> Any:
        """The extents."""
        if not isinstance(value, dict):
            raise WrongValueError(N_("“{key}” must map each axis to its extent."))
        for axis, extent in value.items():
            Name().check(axis, _text)
            try:
                Range().check(extent, _integer)
            except WrongValueError as error:
                raise WrongValueError(str(error), axis, **error.values) from error
        return value


TEXT = N_("“{key}” must be a string.")


def checked(kind: type[Kind], content: Mapping[str, Any]) -> Kind:
    """A dataclass of these values, with its defaults for the others.

    Raises:
        ValueRefusedError: With the key of the first value that its field does not take.
    """
    try:
        return _converter.structure(content, kind)
    except cattrs.ClassValidationError as errors:
        for error, note in errors.group_exceptions()[0]:
            if isinstance(error, WrongValueError):
                raise error.about(note.name) from error
        raise


def plain(values: object) -> Content:
    """What to write of a dataclass."""
    content: Content = _converter.unstructure(values)
    return content


TYPES: Mapping[type, str] = {
    str: TEXT,
    int: N_("“{key}” must be an integer."),
    bool: N_("“{key}” must be true or false."),
}
"""Types of JSON, each with the reason why another one is refused; ``true`` is no integer."""


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise WrongValueError(TYPES[kind])
    return value


_text = partial(_typed, kind=str)
_integer = partial(_typed, kind=int)


def _choice(value: Any, kind: type[StrEnum]) -> StrEnum:
    return kind(OneOf(tuple(kind)).check(value, _text))


def _dim3(value: Any, _kind: object) -> Dim3:
    if not isinstance(value, list) or not 1 <= len(value) <= 3:
        raise WrongValueError(N_("“{key}” must be a list of one to three integers."))
    return Dim3.of([Range().check(extent, _integer) for extent in value])


def _reader(kind: type) -> Hook:
    """Reads a dataclass, each field with its constraint."""
    hints = get_type_hints(kind, include_extras=True)
    overrides: dict[str, Any] = {
        field.name: override(struct_hook=_hook(field, hints[field.name])) for field in fields(kind)
    }
    read: Hook = make_dict_structure_fn(kind, _converter, **overrides)
    return read


def _hook(field: Field[Any], hint: Any) -> Hook | None:
    """Checks a value by its constraint, with the check of its type at hand; None without one."""
    beside = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    known = (field.metadata.get(CONSTRAINT), *beside)
    constraint = next((one for one in known if isinstance(one, Constraint)), None)
    if constraint is None:
        return None
    kind = get_args(hint)[0] if beside else hint
    return lambda value, _kind: constraint.check(value, partial(_converter.structure, cl=kind))


def _lines(text: str) -> str | list[str]:
    """A text of several lines is easier to read and to compare as a list of them."""
    return text.split("\n") if "\n" in text else text


_converter = cattrs.Converter()
for _type in TYPES:
    _converter.register_structure_hook(_type, _typed)
_converter.register_structure_hook(StrEnum, _choice)
_converter.register_structure_hook(Dim3, _dim3)
_converter.register_structure_hook_factory(is_dataclass, _reader)
_converter.register_unstructure_hook(Dim3, list)
_converter.register_unstructure_hook(str, _lines)
