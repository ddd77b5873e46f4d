# SPDX-License-Identifier: MIT
"""Evaluates expressions of CUDA C++: to a number as a compiler does, or to bounds."""

from __future__ import annotations

from collections.abc import Mapping

from threadloom.backends.source.expression.ctype import CType, type_named
from threadloom.backends.source.expression.domain import Domain
from threadloom.backends.source.expression.errors import ExpressionError, UnknownNameError
from threadloom.backends.source.expression.evaluator import Evaluator
from threadloom.backends.source.expression.intervals import INTERVALS, UNKNOWN, Interval
from threadloom.backends.source.expression.parse import parse_expression
from threadloom.backends.source.expression.tree import Cast, Literal
from threadloom.backends.source.expression.value import Value
from threadloom.backends.source.expression.values import VALUES

__all__ = [
    "INTERVALS",
    "UNKNOWN",
    "VALUES",
    "CType",
    "Domain",
    "Evaluator",
    "ExpressionError",
    "Interval",
    "UnknownNameError",
    "Value",
    "bounds",
    "converted",
    "evaluate",
    "parse_expression",
    "type_named",
]


def evaluate(text: str, names: Mapping[str, Value]) -> Value:
    """Value of an expression; names are such as ``n`` and ``blockIdx.x``.

    Raises:
        ExpressionError: If it has none.
    """
    return Evaluator(VALUES, names).of(parse_expression(text))


def bounds(text: str, names: Mapping[str, Interval]) -> Interval:
    """Bounds of an expression; `UNKNOWN` if nothing is known of it."""
    return Evaluator(INTERVALS, names).of(parse_expression(text))


def converted(value: Value, kind: str) -> Value:
    """The value that a variable of this type has after it is assigned; as it is for ``auto``.

    Raises:
        ExpressionError: If the type does not hold it.
    """
    to = type_named(kind)
    return Evaluator(VALUES, {}).of(Cast(0, 0, to, Literal(0, 0, value))) if to else value
