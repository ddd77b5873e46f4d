# SPDX-License-Identifier: MIT
"""Sizes as a user writes them, for one problem or for a sweep."""

from __future__ import annotations

import math
import re

from threadloom.model.operation import Operation
from threadloom.services.run.resolve import JobError
from threadloom.text import _, count
from threadloom_kernels import MAX_ELEMENTS

MOST_SIZE = MAX_ELEMENTS
"""Largest size that is read; how many elements the arrays then have is checked later."""
MOST_POINTS = 200
_QUICK_FLOPS, _QUICK_BYTES = 5e8, 3e8
_USUAL_POINTS = 11
"""Points of a wide range unless told otherwise."""

_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:[eE]\+?\d+)?")
_UNITS = {"k": 10**3, "m": 10**6, "g": 10**9}


class SizeTextError(JobError):
    """Text that is no size."""


def read_size(text: str) -> int:
    """Read a size: ``1000000``, ``1e6``, ``1_000_000``, ``1,5e3`` is none, ``1M`` is.

    Raises:
        SizeTextError: If it is no whole number from 1 to `MOST_SIZE`.
    """
    plain = text.strip().replace("_", "").replace("\N{NO-BREAK SPACE}", "").replace("'", "")
    factor = _UNITS.get(plain[-1:].lower(), 1)
    digits = plain[:-1] if factor != 1 else plain
    if not _NUMBER.fullmatch(digits) or not (value := float(digits) * factor).is_integer():
        raise SizeTextError(
            _(
                "{text} is not a valid size. Write an integer, such as 4096, 1_000_000 or 1e6."
            ).format(text=repr(text))
        )
    if not 1 <= value <= MOST_SIZE:
        raise SizeTextError(
            _("Size {text} is out of range: expected 1 to {most}.").format(
                text=text.strip(), most=count(MOST_SIZE)
            )
        )
    return int(digits) * factor if digits.isdigit() else int(value)


def read_sizes(text: str, points: int | None = None) -> tuple[int, ...]:
    """Read the sizes of a sweep: ``64..512``, ``1e3..1e8`` or ``100,200,400``; rising, distinct.

    Raises:
        SizeTextError: If it is neither a range nor a list.
    """
    low, dots, high = text.partition("..")
    if dots:
        return sizes_between(read_size(low), read_size(high), points)
    return tuple(sorted({read_size(part) for part in text.split(",")}))


def sizes_between(low: int, high: int, points: int | None = None) -> tuple[int, ...]:
    """Whole numbers from ``low`` to ``high``, both ends among them, each the same factor apart.

    Without ``points``, one for each doubling, at most eleven.

    Raises:
        SizeTextError: If the range runs backwards or the points are too few or too many.
    """
    if not 1 <= low <= high:
        raise SizeTextError(
            _("The range {low}..{high} is empty: its end is below its start.").format(
                low=count(low), high=count(high)
            )
        )
    if low == high:
        return (low,)
    if points is None:
        points = min(_USUAL_POINTS, max(2, round(math.log2(high / low)) + 1))
    if not 2 <= points <= MOST_POINTS:
        raise SizeTextError(
            _("A range needs 2 to {most} points; {points} were requested.").format(
                most=MOST_POINTS, points=count(points)
            )
        )
    step = math.log(high / low) / (points - 1)
    inner = (round(low * math.exp(step * place)) for place in range(1, points - 1))
    return tuple(sorted({low, *inner, high}))


def usual_sizes(operation: Operation) -> tuple[int, ...]:
    """Sizes to time where a user names none.

    From where the launch is all of the cost to the largest size that the C loop does in well
    under a second; a longer sweep can be asked for.
    """
    axes = sum(axis.set_by_bare_size for axis in operation.axes)
    low, step = (1_000, 10) if axes == 1 else (16, 2)
    high = low
    while _is_quick(operation, high * step):
        high *= step
    points = round(math.log(high / low, step)) * (2 if axes == 1 else 1) + 1
    return sizes_between(low, high, points) if high > low else (low,)


def _is_quick(operation: Operation, size: int) -> bool:
    bare = {axis.name: size for axis in operation.axes if axis.set_by_bare_size}
    sizes = operation.sizes(bare)
    flops, moved = operation.flops(sizes), operation.bytes_moved(sizes, 4)
    return flops <= _QUICK_FLOPS and moved <= _QUICK_BYTES
