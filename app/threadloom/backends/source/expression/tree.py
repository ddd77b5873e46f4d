# SPDX-License-Identifier: MIT
"""An expression as a small tree. ``start`` and ``end`` are offsets into its text."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.backends.source.expression.ctype import CType
from threadloom.backends.source.expression.value import Value


@dataclass(frozen=True, slots=True)
class Part:
    """What all parts of an expression have: their place."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Literal(Part):
    """A number, a character or a size that is known from the text alone."""

    value: Value


@dataclass(frozen=True, slots=True)
class Name(Part):
    """A variable, or a member of one such as ``blockIdx.x``."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary(Part):
    """One of ``+ - ~ !`` before an operand."""

    sign: str
    operand: Part


@dataclass(frozen=True, slots=True)
class Binary(Part):
    """An operator between two operands, ``&&`` and ``||`` among them."""

    sign: str
    left: Part
    right: Part


@dataclass(frozen=True, slots=True)
class Conditional(Part):
    """``condition ? yes : no``."""

    condition: Part
    yes: Part
    no: Part


@dataclass(frozen=True, slots=True)
class Cast(Part):
    """A conversion, in any of its spellings."""

    type: CType
    operand: Part


@dataclass(frozen=True, slots=True)
class Call(Part):
    """A call of one of `FUNCTIONS` with the right number of arguments."""

    name: str
    arguments: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class SizeOf(Part):
    """``sizeof`` of an expression, which is not evaluated."""

    written: str
    operand: Part


@dataclass(frozen=True, slots=True)
class Extents(Part):
    """``dim3(x, y, z)`` or ``{x, y, z}``: no number, but what a launch is given.

    Its place is the parentheses' or braces'.
    """

    values: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Fault(Part):
    """A part without a value, whatever the names stand for."""

    message: str
    before: Part | None = None
    """What was read before it; a fault in there comes first."""
