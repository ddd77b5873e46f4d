# SPDX-License-Identifier: MIT
"""What the evaluator asks of the things that it computes with: numbers, intervals or types."""

from __future__ import annotations

from typing import Protocol, TypeVar

from threadloom.backends.source.expression.ctype import CType
from threadloom.backends.source.expression.errors import ExpressionError
from threadloom.backends.source.expression.value import Value

V = TypeVar("V")


class Domain(Protocol[V]):
    """One kind of values. Operations may raise `ArithmeticFaultError`."""

    def literal(self, value: Value) -> V:
        """The value of a number that the text holds."""

    def fail(self, error: ExpressionError) -> V:
        """Raise the error, or give what stands for any value."""

    def type_of(self, value: V) -> CType | None:
        """The C type of a value; None if it is not known."""

    def truth(self, value: V) -> bool | None:
        """Whether a value counts as true; None if it may or may not."""

    def join(self, one: V, other: V) -> V:
        """What stands for either of two values of the same type."""

    def convert(self, value: V, to: CType) -> V:
        """The value as another type has it."""

    def unary(self, sign: str, operand: V) -> V:
        """Apply one of ``+ - ~ !``."""

    def binary(self, sign: str, left: V, right: V) -> V:
        """Apply an operator, without ``&&`` and ``||``."""

    def call(self, name: str, arguments: tuple[V, ...]) -> V:
        """Apply one of `FUNCTIONS`."""
