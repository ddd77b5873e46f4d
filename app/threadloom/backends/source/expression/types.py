# SPDX-License-Identifier: MIT
"""The domain of types: what type an expression has, without evaluating it."""

from __future__ import annotations

from threadloom.backends.source.expression.ctype import CType, binary_type, call_type, unary_type
from threadloom.backends.source.expression.errors import ExpressionError
from threadloom.backends.source.expression.value import Value


class Types:
    """Types as values; None for one that is not known."""

    def literal(self, value: Value) -> CType | None:
        """The literal's type."""
        return value.type

    def fail(self, error: ExpressionError) -> CType | None:
        """No type."""
        return None

    def type_of(self, value: CType | None) -> CType | None:
        """The type itself."""
        return value

    def truth(self, value: CType | None) -> bool | None:
        """Never known."""
        return None

    def join(self, one: CType | None, other: CType | None) -> CType | None:
        """Both are the same."""
        return one

    def convert(self, value: CType | None, to: CType) -> CType | None:
        """The other type."""
        return to

    def unary(self, sign: str, operand: CType | None) -> CType | None:
        """The result's type."""
        return unary_type(sign, operand) if operand else None

    def binary(self, sign: str, left: CType | None, right: CType | None) -> CType | None:
        """The result's type."""
        return binary_type(sign, left, right) if left and right else None

    def call(self, name: str, arguments: tuple[CType | None, ...]) -> CType | None:
        """The result's type."""
        known = tuple(one for one in arguments if one)
        return call_type(name, known) if len(known) == len(arguments) else None


TYPES = Types()
