# SPDX-License-Identifier: MIT
"""What an operation's folder declares: data and plain functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.message import NOTHING, Message


@dataclass(frozen=True, slots=True)
class Axis:
    """One extent of the problem."""

    name: str
    default: int
    title: str = ""
    """For a user; the name if empty."""
    minimum: int = 1
    set_by_bare_size: bool = True
    """Whether a bare size sets it; false for what is no extent, such as a filter's radius."""


def _extent(part: str | int | Callable[[Sizes], int], sizes: Sizes) -> int:
    if isinstance(part, int):
        return part
    return sizes[part] if isinstance(part, str) else part(sizes)


class Role(StrEnum):
    """How a kernel uses an argument."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"
    SIZE = "size"
    """A 32-bit int that holds the extent of one axis."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument, in kernel order."""

    name: str
    role: Role
    shape: tuple[str | int | Callable[[Sizes], int], ...] = ()
    """Axis names, numbers, or what is computed from the sizes; empty for a scalar."""
    make: Callable[[tuple[int, ...], np.dtype[np.generic], np.random.Generator], Array] | None = (
        None
    )
    """Fills an input (or the start value of an output; zeros without one). Values reveal their
    position: every element differs from its neighbors."""
    axis: str = ""
    """For a size: the axis; ``name`` if empty."""
    dtype: str = ""
    """Element type of an array that has a type of its own, such as ``int32`` for counts."""

    def extents(self, sizes: Sizes) -> tuple[int, ...]:
        """Shape for these sizes."""
        return tuple(_extent(part, sizes) for part in self.shape)


@dataclass(frozen=True, slots=True)
class LaunchRule:
    """Default launch of a variant."""

    block: Callable[[Sizes], Dim3]
    """Default block for these sizes."""
    grid: Callable[[Sizes, Dim3], Dim3]
    """Grid that covers these sizes with a given block."""
    shared_bytes: Callable[[Sizes, Dim3, int], int] = lambda _sizes, _block, _item: 0
    """Dynamic shared memory for sizes, block and the bytes of an element."""
    block_valid: Callable[[Dim3], Message] = lambda _block: NOTHING
    """Why a kernel that is written for certain blocks cannot take this one; empty if it can."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to write an operation: one ``.cu`` file and one entry."""

    name: str
    title: str
    summary: str
    file: str
    """Name of the ``.cu`` file in the operation's folder. Its line ``typedef float real;`` is the
    one place that says the element type."""
    entry: str
    rule: LaunchRule
    follows: str
    """Output array that the picture follows."""
    max_elements: int | None = None
    """Largest number of elements that it can cover whatever the launch (one block: 1,024)."""


Reference = Callable[[Mapping[str, Array], Sizes], Mapping[str, Array]]
"""NumPy's answer: outputs by name from inputs by name."""
ElementFormula = Callable[[Mapping[str, Any], Sizes, tuple[int, ...]], float]
"""One element of the output by the textbook's formula, in plain Python: from nested lists by name,
the sizes and the element's index."""
FrameworkCall = Callable[[Any, Mapping[str, Any], Mapping[str, Any]], object]
"""The operation by a framework: takes its module and its arrays, inputs and outputs by name, and
queues the work on its current stream."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation with its variants."""

    name: str
    title: str
    summary: str
    formula: str
    """Such as ``c = a + b``."""
    axes: tuple[Axis, ...]
    arguments: tuple[Argument, ...]
    reference: Reference
    tolerance: Callable[[Sizes, np.dtype[np.generic]], float]
    """Largest error allowed, as a share of the largest absolute value of the reference; from the
    length of the sums and the type's eps."""
    bytes_moved: Callable[[Sizes, int], int]
    """Least bytes read and written in global memory, for sizes and the bytes of an element."""
    flops: Callable[[Sizes], int]
    variants: tuple[Variant, ...]
    loop_file: str = "loop.c"
    """C file with the one-thread loop, entry ``loop``, same arguments, same ``real`` line."""
    row_axis: str = ""
    """Axis of which the loop treats each index by itself: arrays that have it as their first
    extent can be cut there, and the parts be done by several threads. Empty if there is none."""
    dtypes: tuple[str, ...] = ("float32", "float64")
    element: ElementFormula | None = None
    """Independent of `reference`, which the tests check with it; those of this distribution have
    one."""
    frameworks: Mapping[str, FrameworkCall] = field(default_factory=dict)
    """By the framework's name on import: ``cupy`` or ``torch``. A baseline on the GPU, where the
    framework is installed."""
    framework_library: str = ""
    """Library that the frameworks call for it, where it is a known one such as cuBLAS."""
    package: str = ""
    """Package or folder that holds the files; set by discovery."""

    def variant(self, name: str | None) -> Variant:
        """The variant with this name, or the default (first) one.

        Raises:
            KeyError: If there is none.
        """
        if name is None:
            return self.variants[0]
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.variants)
        raise KeyError(f"{self.name} has no variant {name!r}; it has {known}")

    def sizes(self, chosen: Mapping[str, int]) -> dict[str, int]:
        """Every axis with its chosen or default extent."""
        return {axis.name: int(chosen.get(axis.name, axis.default)) for axis in self.axes}

    @property
    def row_arrays(self) -> tuple[str, ...]:
        """Names of the arrays whose first extent is `row_axis`."""
        found = (a for a in self.arguments if a.shape and a.shape[0] == self.row_axis)
        return tuple(a.name for a in found)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the arrays that the kernel writes."""
        return tuple(a.name for a in self.arguments if a.role in {Role.OUT, Role.INOUT})
