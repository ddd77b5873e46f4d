# SPDX-License-Identifier: MIT
"""One number for the size of a problem, and back: what a sweep counts along."""

from __future__ import annotations

from collections.abc import Mapping

from threadloom.model.operation import Operation
from threadloom.text import _, count


def problem_size(operation: Operation, sizes: Mapping[str, int]) -> int:
    """The largest of the extents that a bare size sets."""
    return max(sizes[axis.name] for axis in operation.axes if axis.set_by_bare_size)


def at_size(operation: Operation, sizes: Mapping[str, int], size: int) -> dict[str, int]:
    """The sizes with every extent that a bare size sets at this one."""
    changed = {
        axis.name: max(size, axis.minimum) for axis in operation.axes if axis.set_by_bare_size
    }
    return {**operation.sizes(sizes), **changed}


def size_words(operation: Operation, sizes: Mapping[str, int]) -> str:
    """The extents for a user: ``n = 1,000,000`` or ``512 × 512``."""
    extents = [count(sizes[a.name]) for a in operation.axes if a.set_by_bare_size]
    if len(extents) == 1:
        axis = next(axis for axis in operation.axes if axis.set_by_bare_size)
        return _("{axis} = {extent}").format(axis=axis.name, extent=extents[0])
    return " × ".join(extents)
