# SPDX-License-Identifier: MIT
"""Constant expressions as they stand between ``<<<`` and ``>>>``, evaluated as C does."""

from __future__ import annotations

import difflib
import math
import operator
from collections.abc import Callable, Mapping, Sequence

from threadloom.model.c_token import ExpressionError, Token
from threadloom.model.dim3 import Dim3
from threadloom.text import _

Number = int | float
Name = Number | Dim3

LARGEST = 2**64
"""Values from here on are refused; no C integer type of CUDA holds them."""

DEEPEST = 50
"""Operands within operands that are followed."""

SIZES = {
    "char": 1,
    "bool": 1,
    "short": 2,
    "half": 2,
    "int": 4,
    "unsigned": 4,
    "float": 4,
    "real": 4,
    "long": 8,
    "double": 8,
    "size_t": 8,
    "float2": 8,
    "float4": 16,
}
"""Bytes of the types that ``sizeof`` and casts are seen with."""


def _shift_left(a: Number, b: Number) -> Number:
    return int(a) << int(b) if 0 <= b < 64 else LARGEST


def _quotient(a: Number, b: Number) -> Number:
    """C's division: integers are cut towards zero."""
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    sign = -1 if (a < 0) != (b < 0) else 1
    return sign * (abs(a) // abs(b))


def _remainder(a: Number, b: Number) -> Number:
    return a - b * _quotient(a, b)


_BINARY: Mapping[str, tuple[int, Callable[[Number, Number], Number]]] = {
    "<<": (1, _shift_left),
    ">>": (1, lambda a, b: int(a) >> int(max(0, min(b, 64)))),
    "+": (2, operator.add),
    "-": (2, operator.sub),
    "*": (3, operator.mul),
    "/": (3, _quotient),
    "%": (3, _remainder),
}
_FUNCTIONS: Mapping[str, tuple[int, Callable[..., Number]]] = {
    "ceil": (1, lambda a: float(math.ceil(a))),
    "ceilf": (1, lambda a: float(math.ceil(a))),
    "floor": (1, lambda a: float(math.floor(a))),
    "min": (2, min),
    "max": (2, max),
}


class Reader:
    """Reads one expression after the other from a run of words."""

    def __init__(
        self, tokens: Sequence[Token], names: Mapping[str, Name], end: int | None = None
    ) -> None:
        self._tokens = tokens
        self._names = names
        self._at = 0
        self._depth = 0
        self._end = end if end is not None else (tokens[-1].end if tokens else 0)

    @property
    def token(self) -> Token:
        """The next word; one without text at the end."""
        if self._at < len(self._tokens):
            return self._tokens[self._at]
        return Token("end", "", self._end, self._end)

    def next(self) -> Token:
        """Take the next word."""
        token = self.token
        self._at += 1
        return token

    def take(self, text: str) -> bool:
        """Take the next word if it is this one."""
        if self.token.text == text and self.token.kind != "end":
            self._at += 1
            return True
        return False

    def need(self, text: str) -> Token:
        """Take the next word, which must be this one."""
        if self.token.text != text:
            raise self.error(_("“{text}” is missing here.").format(text=text))
        return self.next()

    def error(self, message: str, start: int | None = None) -> ExpressionError:
        """An error at the next word, or from ``start`` to the last word taken."""
        if start is None:
            return ExpressionError(message, self.token.start, max(self.token.end, self._end))
        return ExpressionError(message, start, self._tokens[self._at - 1].end)

    def dims(self) -> Dim3:
        """Read a whole number, ``dim3(…)``, ``{…}`` or the name of a ``dim3``."""
        if self.token.text == "dim3":
            self.next()
            return self.extents("{" if self.token.text == "{" else "(")
        if self.token.text == "{":
            return self.extents("{")
        name = self._names.get(self.token.text)
        if isinstance(name, Dim3) and not self._has_member():
            self.next()
            return name
        return Dim3(self.whole())

    def extents(self, opening: str) -> Dim3:
        """Read one to three whole numbers in parentheses or braces."""
        start = self.need(opening).start
        values = [self.whole()]
        while self.take(","):
            values.append(self.whole())
        self.need({"(": ")", "{": "}"}[opening])
        if len(values) > 3:
            text = _("dim3 takes three numbers at most, x, y and z; {given} are given.")
            raise self.error(text.format(given=len(values)), start)
        return Dim3.of(values)

    def whole(self) -> int:
        """Read an expression whose value is a whole number."""
        start = self.token.start
        value = self.expression()
        if value != int(value):
            text = _("{value} is not a whole number. Round it up, as in (n + 255) / 256.")
            raise self.error(text.format(value=f"{value:.6g}"), start)
        return int(value)

    def expression(self, level: int = 1) -> Number:
        """Read an expression whose operators bind at least as tightly as ``level``."""
        start = self.token.start
        left = self._nested(start)
        while self.token.text in _BINARY and _BINARY[self.token.text][0] >= level:
            sign = self.next().text
            binding, apply = _BINARY[sign]
            right = self.expression(binding + 1)
            left = self._applied(start, sign, apply, left, right)
        return left

    def _nested(self, start: int) -> Number:
        """One operand; Python's own stack must not end before a deep nest of parentheses."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error(_("These parentheses are nested too deeply."), start)
        value = self._unary()
        self._depth -= 1
        return value

    def _applied(
        self,
        start: int,
        sign: str,
        apply: Callable[[Number, Number], Number],
        left: Number,
        right: Number,
    ) -> Number:
        if sign in "/%" and right == 0:
            raise self.error(_("This divides by zero."), start)
        value = apply(left, right)
        if abs(value) >= LARGEST:
            raise self.error(_("This number is too large for any type of CUDA."), start)
        return value

    def _unary(self) -> Number:
        token = self.next()
        if token.text in {"-", "+"}:
            value = self._nested(token.start)
            return -value if token.text == "-" else value
        if token.text == "(":
            return self._group()
        if token.kind == "number":
            return self._literal(token)
        if token.kind == "name":
            return self._named(token)
        self._at -= 1
        if token.kind == "end" or token.text in {",", ")", "}", ";", ">>>"}:
            raise self.error(_("A number is missing here."))
        raise ExpressionError(
            _("“{text}” is not part of a number.").format(text=token.text), token.start, token.end
        )

    def _group(self) -> Number:
        """A cast, or an expression in parentheses."""
        if self.token.text in SIZES:
            kind = self._type()
            self.need(")")
            value = self._nested(self.token.start)
            return float(value) if kind in {"float", "double", "real"} else int(value)
        value = self.expression()
        self.need(")")
        return value

    def _type(self) -> str:
        """Read the words of a type and return the one that says its size."""
        words = [self.next().text]
        while self.token.text in SIZES:
            words.append(self.next().text)
        known = [w for w in words if w != "unsigned"] or words
        return max(known, key=lambda word: SIZES[word])

    def _literal(self, token: Token) -> Number:
        digits = token.text.replace("'", "").rstrip("uUlL")
        try:
            if digits[:2] in {"0x", "0X"}:
                value: Number = int(digits, 16)
            else:
                value = int(digits) if digits.isdigit() else float(digits.rstrip("fF"))
        except ValueError:
            text = _("“{text}” is not a number.").format(text=token.text)
            raise ExpressionError(text, token.start, token.end) from None
        if abs(value) >= LARGEST:
            text = _("This number is too large for any type of CUDA.")
            raise ExpressionError(text, token.start, token.end)
        return value

    def _named(self, token: Token) -> Number:
        if token.text == "sizeof":
            return self._sizeof()
        if token.text in _FUNCTIONS and self.token.text == "(":
            return self._call(token)
        value = self._names.get(token.text)
        if isinstance(value, Dim3):
            return self._member(token, value)
        if value is None:
            raise ExpressionError(self._unknown(token.text), token.start, token.end)
        return value

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self._names, 1)
        if near:
            return _("“{name}” is not known here. Is “{near}” meant?").format(
                name=name, near=near[0]
            )
        known = ", ".join(self._names)
        if not known:
            return _("“{name}” is not known here. Write a number.").format(name=name)
        return _("“{name}” is not known here. Write a number, or one of: {known}.").format(
            name=name, known=known
        )

    def _has_member(self) -> bool:
        following = self._tokens[self._at + 1 : self._at + 2]
        return bool(following) and following[0].text == "."

    def _member(self, token: Token, value: Dim3) -> int:
        if not self.take("."):
            text = _("“{name}” has three extents. Write {name}.x, {name}.y or {name}.z.")
            raise ExpressionError(text.format(name=token.text), token.start, token.end)
        axis = self.next()
        if axis.text not in {"x", "y", "z"}:
            text = _("“{axis}” is no axis. Write x, y or z.").format(axis=axis.text)
            raise ExpressionError(text, axis.start, axis.end)
        return int(getattr(value, axis.text))

    def _sizeof(self) -> int:
        self.need("(")
        if self.token.text not in SIZES:
            text = _("The size of “{name}” is not known here. Write its bytes.")
            raise self.error(text.format(name=self.token.text))
        kind = self._type()
        self.need(")")
        return SIZES[kind]

    def _call(self, token: Token) -> Number:
        self.need("(")
        values = [self.expression()]
        while self.take(","):
            values.append(self.expression())
        self.need(")")
        wanted, apply = _FUNCTIONS[token.text]
        if len(values) != wanted:
            text = _("{name} takes {wanted} numbers; {given} are given.")
            raise self.error(
                text.format(name=token.text, wanted=wanted, given=len(values)), token.start
            )
        return apply(*values)
