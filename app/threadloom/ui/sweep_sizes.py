# SPDX-License-Identifier: MIT
"""Sizes to time where a person has named none."""

from __future__ import annotations

from threadloom.model.operation import Operation
from threadloom.services.sizes import sizes_between

_MOST_FLOPS = 500_000_000
"""A one-thread loop does so many in well under a second."""
_MOST_BYTES = 400_000_000
_FIRST_LINE, _FIRST = 1_000, 16
"""First size of a line, and of what has more axes."""


def usual_sizes(operation: Operation) -> tuple[int, ...]:
    """Sizes from where the launch is all of the cost to where the work is.

    The last one is the largest power of two (of ten for a line) whose work a person waits for
    with patience; a longer sweep can be asked for.
    """
    line = sum(axis.set_by_bare_size for axis in operation.axes) == 1
    first, step = (_FIRST_LINE, 10) if line else (_FIRST, 2)
    last = first
    while _bearable(operation, last * step):
        last *= step
    points = None if not line else 2 * _decades(first, last) + 1
    return sizes_between(first, last, points) if last > first else (first,)


def _bearable(operation: Operation, size: int) -> bool:
    bare = {axis.name: size for axis in operation.axes if axis.set_by_bare_size}
    sizes = operation.sizes(bare)
    moved, flops = operation.bytes_moved(sizes, 4), operation.flops(sizes)
    return flops <= _MOST_FLOPS and moved <= _MOST_BYTES and size <= 10_000_000


def _decades(first: int, last: int) -> int:
    return len(str(last // first)) - 1
