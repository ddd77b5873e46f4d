# SPDX-License-Identifier: MIT
"""The domain of values: the number that a C++ compiler would compute."""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable, Mapping

from threadloom.backends.source.expression.ctype import (
    BITWISE,
    COMPARISONS,
    SHIFTS,
    CType,
    binary_type,
    call_type,
    common,
    unary_type,
)
from threadloom.backends.source.expression.errors import (
    ArithmeticFaultError,
    ExpressionError,
    too_large,
)
from threadloom.backends.source.expression.value import Value
from threadloom.text import _

Number = int | float

LARGEST = 2**64
"""Integers from here on are refused; no integer type of CUDA holds them."""
WIDEST_SHIFT = 63
"""Bits that a signed number may be shifted by."""


def quotient(left: Number, right: Number) -> Number:
    """C's division: integers are truncated toward zero. ``right`` is not zero."""
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


_BINARY: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": quotient,
    "%": lambda a, b: a - b * quotient(a, b),
    "&": lambda a, b: int(a) & int(b),
    "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b),
    "<<": lambda a, b: int(a) << int(b),
    ">>": lambda a, b: int(a) >> int(b),
}
_COMPARED: Mapping[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_CALLED: Mapping[str, Callable[..., Number]] = {
    "ceil": lambda a: float(math.ceil(a)),
    "ceilf": lambda a: float(math.ceil(a)),
    "floor": lambda a: float(math.floor(a)),
    "floorf": lambda a: float(math.floor(a)),
    "abs": lambda a: abs(a),
    "min": lambda *some: min(some),
    "max": lambda *some: max(some),
}


class Values:
    """Numbers with their types.

    Overflow of a signed type is undefined in C; the exact number is kept then, so that a message
    can name it. Unsigned types wrap around.
    """

    def literal(self, value: Value) -> Value:
        """The value itself."""
        return value

    def fail(self, error: ExpressionError) -> Value:
        """Raise the error."""
        raise error

    def type_of(self, value: Value) -> CType | None:
        """The value's type."""
        return value.type

    def truth(self, value: Value) -> bool | None:
        """Whether it is not zero."""
        return value.number != 0

    def join(self, one: Value, other: Value) -> Value:
        """Never needed: which of two values is meant is always known."""
        return one

    def convert(self, value: Value, to: CType) -> Value:
        """The value as another type has it; integers wrap around, fractions are cut off."""
        if value.type is to:
            return value
        if to is CType.BOOL:
            return Value(int(value.number != 0), to)
        if to.floating or value.type.floating:
            return _result(value.number if to.floating else _truncated(value.number), to)
        return Value(wrapped(int(value.number), to), to)

    def unary(self, sign: str, operand: Value) -> Value:
        """Apply one of ``+ - ~ !``."""
        if sign == "!":
            return Value(int(operand.number == 0), CType.BOOL)
        to = unary_type(sign, operand.type)
        number = self.convert(operand, to).number
        if sign == "~":
            return _result(~_integer(sign, number), to)
        return _result(-number if sign == "-" else number, to)

    def binary(self, sign: str, left: Value, right: Value) -> Value:
        """Apply an operator to operands after the usual conversions."""
        if sign in SHIFTS:
            return self._shifted(sign, left, right)
        operands = common(left.type, right.type)
        a, b = self.convert(left, operands).number, self.convert(right, operands).number
        if sign in COMPARISONS:
            return Value(int(_COMPARED[sign](a, b)), CType.BOOL)
        if sign in BITWISE:
            _integer(sign, a + b)
        if sign in "/%" and b == 0:
            raise ArithmeticFaultError(_("Division by zero."))
        return _result(_BINARY[sign](a, b), operands)

    def _shifted(self, sign: str, left: Value, right: Value) -> Value:
        to = binary_type(sign, left.type, right.type)
        count = _integer(sign, right.number)
        most = WIDEST_SHIFT if to.signed else to.size * 8 - 1
        if not 0 <= count <= most:
            text = _("A shift by {count} bits is undefined; expected 0 to {most}.")
            raise ArithmeticFaultError(text.format(count=count, most=most))
        return _result(_BINARY[sign](_integer(sign, self.convert(left, to).number), count), to)

    def call(self, name: str, arguments: tuple[Value, ...]) -> Value:
        """Apply one of `FUNCTIONS`."""
        to = call_type(name, tuple(one.type for one in arguments))
        return _result(_CALLED[name](*(self.convert(one, to).number for one in arguments)), to)


def wrapped(number: int, to: CType) -> int:
    """The number modulo the type's size, as the conversion between integer types has it."""
    return (number - to.least) % (to.most - to.least + 1) + to.least


def _result(number: Number, to: CType) -> Value:
    if to.floating:
        number = float(number)
        number = number if to is CType.DOUBLE else ctypes.c_float(number).value
        if not math.isfinite(number):
            raise too_large()
        return Value(number, to)
    if not to.signed:
        return Value(wrapped(int(number), to), to)
    if abs(number) >= LARGEST:
        raise too_large()
    return Value(int(number), to)


def _truncated(number: Number) -> int:
    if abs(number) >= LARGEST:
        raise too_large()
    return int(number)


def _integer(sign: str, number: Number) -> int:
    if isinstance(number, float):
        raise ArithmeticFaultError(_("“{sign}” requires integers.").format(sign=sign))
    return number


VALUES = Values()
