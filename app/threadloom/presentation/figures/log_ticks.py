# SPDX-License-Identifier: MIT
"""Ticks of logarithmic axes: times in ns, µs, ms and s, and sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from threadloom.text import count, duration

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decades(low: float, high: float, most: int) -> list[float]:
    """Powers of ten within a range from the first on, every second or third if they are too many.

    Where fewer than two fall in, 2 and 5 times a power of ten, then every whole multiple.
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, math.ceil((last - first) / max(most - 1, 1)))
    tens = [10.0**power for power in range(first, last + 1, step)]
    if len(tens) >= 2 or most < 2:
        return tens
    for parts in ((1, 2, 5), range(1, 10)):
        finer = _multiples(low, high, parts)
        if len(finer) >= 2:
            return finer[:: max(1, math.ceil(len(finer) / most))]
    return tens


def _multiples(low: float, high: float, parts: Sequence[int]) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [part * 10.0**power for power in powers for part in parts]
    return [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def size_ticks(low: float, high: float, sizes: Sequence[int], most: int) -> list[float]:
    """Ticks for sizes: the sizes themselves if all are powers of two, else decades."""
    shown = [size for size in sizes if low * (1 - 1e-9) <= size <= high * (1 + 1e-9)]
    if len(shown) >= 2 and all(size & (size - 1) == 0 for size in sizes):
        return [float(size) for size in shown[:: max(1, math.ceil(len(shown) / max(most, 1)))]]
    return decades(low, high, most)


def time_text(seconds: float) -> str:
    """A time at a tick: "10 µs"."""
    return duration(seconds)


def size_text(size: float) -> str:
    """A size at a tick: "512", "10⁶"."""
    power = math.log10(size) if size > 0 else 0.0
    if size >= 1e4 and abs(power - round(power)) < 1e-9:
        return "10" + str(round(power)).translate(_SUPERSCRIPTS)
    return count(size)


def whole_decades(low: float, high: float) -> tuple[float, float]:
    """The range widened to whole decades, at least one."""
    bottom, top = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    return 10.0**bottom, 10.0 ** max(top, bottom + 1)
