# SPDX-License-Identifier: MIT
"""Options that take a number: a bad one is named together with what is allowed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeVar

import typer

from threadloom.text import _, significant

N = TypeVar("N", int, float)


def whole(low: int | None = None, high: int | None = None) -> Callable[[str | int], int]:
    """Reader of whole numbers in a range; either end may be open."""

    def read(text: str | int) -> int:
        plain = str(text).strip().replace("_", "")
        if not re.fullmatch(r"[+-]?\d+", plain):
            raise typer.BadParameter(
                _("{text} is not an integer.").format(text=repr(text)) + _range(low, high)
            )
        return _within(int(plain), text, low, high)

    return read


def number(low: float | None = None, high: float | None = None) -> Callable[[str | float], float]:
    """Reader of numbers in a range; either end may be open."""

    def read(text: str | float) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise typer.BadParameter(
                _("{text} is not a number.").format(text=repr(text)) + _range(low, high)
            )
        return _within(value, text, low, high)

    return read


def _within(value: N, text: object, low: float | None, high: float | None) -> N:
    if (low is not None and value < low) or (high is not None and value > high):
        raise typer.BadParameter(_("{text} is out of range.").format(text=text) + _range(low, high))
    return value


def _range(low: float | None, high: float | None) -> str:
    """A sentence that says what is allowed, with a space before it; empty if all is."""
    if low is None:
        return ""
    if high is None:
        return " " + _("Expected at least {low}.").format(low=significant(low))
    return " " + _("Expected {low} to {high}.").format(low=significant(low), high=significant(high))
