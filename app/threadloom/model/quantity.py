# SPDX-License-Identifier: MIT
"""Numbers that are formatted where they are shown, in the language in use there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from threadloom import text


class Unit(StrEnum):
    """How a quantity is written: a function of `threadloom.text`."""

    COUNT = "count"
    SIGNIFICANT = "significant"
    SCIENTIFIC = "scientific"
    DURATION = "duration"
    BINARY_BYTES = "binary_bytes"
    DECIMAL_BYTES = "decimal_bytes"
    BANDWIDTH = "bandwidth"
    PERCENT = "percent"
    FACTOR = "factor"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with the way to write it. `str()` writes it in the language in use."""

    value: float
    unit: Unit
    digits: int | None = None
    """Significant digits, where the way to write it leaves a choice."""

    def __str__(self) -> str:
        write = getattr(text, self.unit.value)
        return str(write(self.value) if self.digits is None else write(self.value, self.digits))


def count(value: float) -> Quantity:
    """A whole number with its thousands grouped."""
    return Quantity(_number(value), Unit.COUNT)


def significant(value: float, digits: int = 3) -> Quantity:
    """A number with this many significant digits."""
    return Quantity(float(value), Unit.SIGNIFICANT, digits)


def scientific(value: float, digits: int = 2) -> Quantity:
    """A small number, such as an error, with a power of ten."""
    return Quantity(float(value), Unit.SCIENTIFIC, digits)


def duration(seconds: float) -> Quantity:
    """A time in the unit that fits it."""
    return Quantity(float(seconds), Unit.DURATION)


def binary_bytes(size: float) -> Quantity:
    """An amount of memory in powers of 1024."""
    return Quantity(_number(size), Unit.BINARY_BYTES)


def decimal_bytes(size: float) -> Quantity:
    """An amount of traffic in powers of 1000."""
    return Quantity(_number(size), Unit.DECIMAL_BYTES)


def bandwidth(bytes_per_second: float) -> Quantity:
    """A memory bandwidth in powers of 1000."""
    return Quantity(float(bytes_per_second), Unit.BANDWIDTH)


def percent(fraction: float, digits: int = 3) -> Quantity:
    """A fraction of one in hundredths."""
    return Quantity(float(fraction), Unit.PERCENT, digits)


def factor(value: float, digits: int = 3) -> Quantity:
    """How many times one figure is another."""
    return Quantity(float(value), Unit.FACTOR, digits)


def _number(value: float) -> float:
    """Python's own number for one of NumPy's; integers stay exact."""
    return int(value) if isinstance(value, int | np.integer) else float(value)
