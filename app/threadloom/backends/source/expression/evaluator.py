# SPDX-License-Identifier: MIT
"""Walks an expression's tree in one of the domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from threadloom.backends.source.expression.ctype import CType, common
from threadloom.backends.source.expression.domain import Domain, V
from threadloom.backends.source.expression.errors import (
    ArithmeticFaultError,
    ExpressionError,
    UnknownNameError,
    unknown_size,
)
from threadloom.backends.source.expression.tree import (
    Binary,
    Call,
    Cast,
    Conditional,
    Extents,
    Fault,
    Literal,
    Name,
    Part,
    SizeOf,
    Unary,
)
from threadloom.backends.source.expression.types import TYPES
from threadloom.backends.source.expression.value import Value
from threadloom.text import _


class Evaluator(Generic[V]):
    """Evaluates expressions whose names stand for values of one domain."""

    def __init__(self, domain: Domain[V], names: Mapping[str, V]) -> None:
        self._domain = domain
        self._names = names

    def of(self, part: Part) -> V:
        """Value of an expression.

        Raises:
            ExpressionError: If it has none and the domain has nothing that stands for any value.
        """
        try:
            return self._of(part)
        except ArithmeticFaultError as fault:
            return self._domain.fail(ExpressionError(str(fault), part.start, part.end))

    def _of(self, part: Part) -> V:
        match part:
            case Literal():
                return self._domain.literal(part.value)
            case Name():
                value = self._names.get(part.name)
                return value if value is not None else self._unknown(part)
            case Binary(sign="&&" | "||"):
                return self._logical(part)
            case Binary():
                return self._domain.binary(part.sign, self.of(part.left), self.of(part.right))
            case Unary():
                return self._domain.unary(part.sign, self.of(part.operand))
            case Cast():
                return self._domain.convert(self.of(part.operand), part.type)
            case Call():
                return self._domain.call(part.name, tuple(self.of(one) for one in part.arguments))
        return self._rarer(part)

    def _rarer(self, part: Part) -> V:
        match part:
            case Conditional():
                return self._conditional(part)
            case SizeOf():
                return self._size(part)
            case Extents():
                text = _("Expected a number, not extents.")
                return self._domain.fail(ExpressionError(text, part.start, part.end))
            case Fault(before=Part() as before):
                self.of(before)
        message = part.message if isinstance(part, Fault) else ""
        return self._domain.fail(ExpressionError(message, part.start, part.end))

    def _logical(self, part: Binary) -> V:
        """``&&`` and ``||``: the right side only counts if the left one does not decide."""
        decisive = part.sign == "||"
        left = self._domain.truth(self.of(part.left))
        if left is decisive:
            return self._bool(decisive)
        right = self._domain.truth(self.of(part.right))
        if right is None or (left is None and right is not decisive):
            return self._domain.join(self._bool(False), self._bool(True))
        return self._bool(right)

    def _bool(self, value: bool) -> V:
        return self._domain.literal(Value(int(value), CType.BOOL))

    def _conditional(self, part: Conditional) -> V:
        chosen = self._domain.truth(self.of(part.condition))
        found = [
            self.of(branch)
            for branch, wanted in ((part.yes, True), (part.no, False))
            if chosen in (None, wanted)
        ]
        yes, no = self._type(part.yes), self._type(part.no)
        if yes and no:
            to = yes if yes is no else common(yes, no)
            found = [self._domain.convert(value, to) for value in found]
        elif len(found) == 2:
            return self._domain.fail(ExpressionError("", part.start, part.end))
        return found[0] if len(found) == 1 else self._domain.join(*found)

    def _size(self, part: SizeOf) -> V:
        kind = self._type(part.operand)
        if kind is None:
            text = unknown_size(part.written)
            return self._domain.fail(ExpressionError(text, part.start, part.end))
        return self._domain.literal(Value(kind.size, CType.ULLONG))

    def _type(self, part: Part) -> CType | None:
        names = {name: self._domain.type_of(value) for name, value in self._names.items()}
        return Evaluator[CType | None](TYPES, names).of(part)

    def _unknown(self, part: Name) -> V:
        return self._domain.fail(_unknown_name(part, self._names))


def _unknown_name(part: Name, known: Mapping[str, object]) -> ExpressionError:
    owner, _dot, axis = part.name.partition(".")
    if axis and owner in known:
        text = _("“{name}” is a number without a member “{axis}”.").format(name=owner, axis=axis)
        return ExpressionError(text, part.start, part.end)
    if f"{owner}.x" not in known:
        return UnknownNameError(owner, known, part.start, part.end)
    if axis:
        text = _("“{axis}” is not an axis. Write x, y or z.").format(axis=axis)
        return ExpressionError(text, part.end - len(axis), part.end)
    text = _("“{name}” has three extents. Write {name}.x, {name}.y or {name}.z.")
    return ExpressionError(text.format(name=owner), part.start, part.end)
