# SPDX-License-Identifier: MIT
"""The domain of intervals: bounds of what an expression may evaluate to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from threadloom.backends.source.expression.ctype import (
    COMPARISONS,
    SHIFTS,
    CType,
    binary_type,
    call_type,
    common,
    unary_type,
)
from threadloom.backends.source.expression.errors import ArithmeticFaultError, ExpressionError
from threadloom.backends.source.expression.value import Value
from threadloom.backends.source.expression.values import (
    LARGEST,
    VALUES,
    WIDEST_SHIFT,
    Number,
    quotient,
    wrapped,
)


@dataclass(frozen=True, slots=True)
class Interval:
    """Least and largest value, both included; infinite where there is no bound."""

    least: Number = -math.inf
    most: Number = math.inf
    type: CType | None = None
    """The C type; None if it is not known."""

    @classmethod
    def of(cls, kind: CType) -> Interval:
        """All values of a type."""
        return cls(type=kind) if kind.floating else cls(kind.least, kind.most, kind)

    @property
    def single(self) -> Value | None:
        """The value, if there is only one."""
        return Value(self.least, self.type) if self.type and self.least == self.most else None

    def contains(self, value: Value) -> bool:
        """Whether a value lies within."""
        return self.least <= value.number <= self.most and self.type in (None, value.type)

    @property
    def overflows(self) -> bool:
        """Whether every value is outside what an ``int`` holds, though it is computed as one."""
        return self.type is CType.INT and (
            self.least > CType.INT.most or self.most < CType.INT.least
        )


UNKNOWN = Interval()
"""Any value of any type."""


class Intervals:
    """Bounds with their types. Numbers with a fraction are followed only where they are single."""

    def literal(self, value: Value) -> Interval:
        """The value alone."""
        return Interval(value.number, value.number, value.type)

    def fail(self, error: ExpressionError) -> Interval:
        """Any value."""
        return UNKNOWN

    def type_of(self, value: Interval) -> CType | None:
        """The interval's type."""
        return value.type

    def truth(self, value: Interval) -> bool | None:
        """Whether zero lies outside, or nothing else inside."""
        if value.least > 0 or value.most < 0:
            return True
        return False if value.least == value.most == 0 else None

    def join(self, one: Interval, other: Interval) -> Interval:
        """The hull of both."""
        return Interval(min(one.least, other.least), max(one.most, other.most), one.type)

    def convert(self, value: Interval, to: CType) -> Interval:
        """The interval as another type has it."""
        if value.type is to:
            return value
        if single := value.single:
            return self._exact(lambda: VALUES.convert(single, to), to)
        if to is CType.BOOL:
            truth = self.truth(value)
            return Interval(int(truth is True), int(truth is not False), to)
        if to.floating or value.type is None or value.type.floating:
            return _widest(to)
        return _wrapped(value.least, value.most, to)

    def unary(self, sign: str, operand: Interval) -> Interval:
        """Apply one of ``+ - ~ !``."""
        if operand.type is None:
            return UNKNOWN
        to = unary_type(sign, operand.type)
        if single := operand.single:
            return self._exact(lambda: VALUES.unary(sign, single), to)
        if sign == "!":
            truth = self.truth(operand)
            return Interval(int(truth is False), int(truth is not True), to)
        bounds = self.convert(operand, to)
        if to.floating or sign == "+":
            return _widest(to) if to.floating else bounds
        offset = int(sign == "~")
        return _result(-offset - bounds.most, -offset - bounds.least, to)

    def binary(self, sign: str, left: Interval, right: Interval) -> Interval:
        """Apply an operator to operands after the usual conversions."""
        if left.type is None or right.type is None:
            return Interval.of(CType.BOOL) if sign in COMPARISONS else UNKNOWN
        to = binary_type(sign, left.type, right.type)
        one, other = left.single, right.single
        if one and other:
            return self._exact(lambda: VALUES.binary(sign, one, other), to)
        operands = to if sign in SHIFTS else common(left.type, right.type)
        if operands.floating or right.type.floating:
            return _widest(to)
        a = self.convert(left, operands)
        b = right if sign in SHIFTS else self.convert(right, operands)
        return _compared(sign, a, b) if sign in COMPARISONS else _computed(sign, a, b, to)

    def call(self, name: str, arguments: tuple[Interval, ...]) -> Interval:
        """Apply one of `FUNCTIONS`."""
        types = tuple(one.type for one in arguments if one.type)
        if len(types) < len(arguments):
            return UNKNOWN
        to = call_type(name, types)
        values = tuple(one for argument in arguments if (one := argument.single))
        if len(values) == len(arguments):
            return self._exact(lambda: VALUES.call(name, values), to)
        if to.floating:
            return _widest(to)
        bounds = [self.convert(one, to) for one in arguments]
        if name == "abs":
            (only,) = bounds
            least = 0 if only.least <= 0 <= only.most else min(abs(only.least), abs(only.most))
            return _result(least, max(abs(only.least), abs(only.most)), to)
        pick = min if name == "min" else max
        return Interval(
            pick(one.least for one in bounds), pick(one.most for one in bounds), bounds[0].type
        )

    def _exact(self, compute: Callable[[], Value], to: CType) -> Interval:
        try:
            return self.literal(compute())
        except ArithmeticFaultError:
            return _widest(to)


def _widest(to: CType) -> Interval:
    """Any result of a type, exact ones of a signed type that does not hold them included."""
    return Interval(-LARGEST, LARGEST, to) if to.signed and not to.floating else Interval.of(to)


def _wrapped(least: Number, most: Number, to: CType) -> Interval:
    """Bounds modulo the type's size; all values if that splits them."""
    low = wrapped(int(least), to)
    high = low + int(most - least)
    return Interval(low, high, to) if high <= to.most else Interval.of(to)


def _result(least: Number, most: Number, to: CType) -> Interval:
    return Interval(least, most, to) if to.signed else _wrapped(least, most, to)


def _hull(numbers: Iterable[Number], to: CType) -> Interval:
    found = list(numbers)
    return _result(min(found), max(found), to) if found else _widest(to)


def _compared(sign: str, a: Interval, b: Interval) -> Interval:
    if sign in (">", ">="):
        return _compared("<" if sign == ">" else "<=", b, a)
    if sign == "<":
        always, never = a.most < b.least, a.least >= b.most
    elif sign == "<=":
        always, never = a.most <= b.least, a.least > b.most
    else:
        always, never = a.least == a.most == b.least == b.most, a.most < b.least or b.most < a.least
        always, never = (always, never) if sign == "==" else (never, always)
    return Interval(int(always), int(not never), CType.BOOL)


def _computed(sign: str, a: Interval, b: Interval, to: CType) -> Interval:
    match sign:
        case "+":
            return _result(a.least + b.least, a.most + b.most, to)
        case "-":
            return _result(a.least - b.most, a.most - b.least, to)
        case "*":
            corners = itertools.product((a.least, a.most), (b.least, b.most))
            return _hull((x * y for x, y in corners), to)
        case "/":
            return _hull((quotient(x, y) for x in (a.least, a.most) for y in _divisors(b)), to)
        case "%":
            return _remainder(a, b, to)
        case "<<" | ">>":
            return _shifted(sign, a, b, to)
    return _bitwise(sign, a, b, to)


def _divisors(b: Interval) -> list[Number]:
    """Ends of the divisor's negative and of its positive part."""
    found: list[Number] = []
    if b.least < 0:
        found += [b.least, min(b.most, -1)]
    if b.most > 0:
        found += [max(b.least, 1), b.most]
    return found


def _remainder(a: Interval, b: Interval, to: CType) -> Interval:
    most = max(abs(b.least), abs(b.most)) - 1
    if most < 0:
        return _widest(to)
    return _result(max(min(a.least, 0), -most), min(max(a.most, 0), most), to)


def _shifted(sign: str, a: Interval, b: Interval, to: CType) -> Interval:
    counts = [int(max(0, b.least)), int(min(b.most, WIDEST_SHIFT))]
    if counts[0] > counts[1]:
        return _widest(to)
    corners = itertools.product((int(a.least), int(a.most)), counts)
    return _hull((x << n if sign == "<<" else x >> n for x, n in corners), to)


def _bitwise(sign: str, a: Interval, b: Interval, to: CType) -> Interval:
    ends = [int(end) for end in (a.least, a.most, b.least, b.most)]
    beyond = 1 << max(end.bit_length() if end >= 0 else (~end).bit_length() for end in ends)
    if min(ends) >= 0:
        if sign == "&":
            return _result(0, min(a.most, b.most), to)
        return _result(max(a.least, b.least) if sign == "|" else 0, beyond - 1, to)
    if sign == "&" and max(a.least, b.least) >= 0:
        return _result(0, a.most if a.least >= 0 else b.most, to)
    return _result(-beyond, beyond - 1, to)


INTERVALS = Intervals()
