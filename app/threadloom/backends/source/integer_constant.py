# SPDX-License-Identifier: MIT
"""Whole numbers that a source writes as an expression of macros."""

from __future__ import annotations

from collections.abc import Mapping

from threadloom.backends.source.definitions import expanded, object_like
from threadloom.backends.source.expression import ExpressionError, evaluate

LONGEST = 1000
"""Letters of an expression that is still read."""


def constant(written: str, macros: Mapping[str, str]) -> int | None:
    """The value of an expression such as ``BX * BY``; None if it is no whole number."""
    text = expanded(written.encode(), object_like(macros)).decode(errors="replace")
    if len(text) > LONGEST:
        return None
    try:
        number = evaluate(text, {}).number
    except ExpressionError:
        return None
    return int(number) if number == int(number) else None
