# SPDX-License-Identifier: MIT
"""A number with its C type."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.backends.source.expression.ctype import CType

_INTEGERS = (CType.INT, CType.LLONG, CType.ULLONG)


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression evaluates to."""

    number: int | float
    type: CType = CType.INT

    @classmethod
    def of(cls, number: int) -> Value:
        """An integer of the first type that holds it: int, long long, unsigned long long."""
        fitting = (one for one in _INTEGERS if one.least <= number <= one.most)
        return cls(number, next(fitting, CType.LLONG))
