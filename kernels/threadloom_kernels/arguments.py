# SPDX-License-Identifier: MIT
"""Arguments of a kernel, made from sizes, element type and seed."""

from __future__ import annotations

import math

import numpy as np

from threadloom.model.array import Array, Sizes, Value
from threadloom.model.message import _, count
from threadloom.model.operation import Argument, Operation, Role
from threadloom_kernels.source import C_TYPES, UnknownTypeError

MAX_ELEMENTS = 2**31 - 1024
"""Most elements of an array: with any block, the index of the last thread still fits an int."""


class SizeError(ValueError):
    """A problem that no kernel can be launched for; the text says which size and what to do."""


def make_arguments(operation: Operation, sizes: Sizes, dtype: str, seed: int) -> dict[str, Value]:
    """Make every argument, in kernel order; the same seed gives the same values.

    Arrays are C-contiguous and of ``dtype``, unless an argument has a type of its own; sizes are
    ``np.int32``. An output holds its start value: NaN, or zeros where the kernel adds to it.

    Raises:
        SizeError: If an axis is too short or an array too large.
        UnknownTypeError: If the operation has no such type.
    """
    check_sizes(operation, sizes)
    element = element_type(operation, dtype)
    return {
        argument.name: _make(argument, sizes, element, np.random.default_rng((place, seed % 2**64)))
        for place, argument in enumerate(operation.arguments)
    }


def memory_bytes(operation: Operation, sizes: Sizes, dtype: str) -> int:
    """Bytes of all arrays together; nothing is allocated and any size is allowed.

    Raises:
        UnknownTypeError: If the operation has no such type.
    """
    chosen = element_type(operation, dtype)
    return sum(
        math.prod(argument.extents(sizes)) * _type_of(argument, chosen).itemsize
        for argument in operation.arguments
        if argument.role is not Role.SIZE
    )


def check_sizes(operation: Operation, sizes: Sizes) -> None:
    """Check every axis and array.

    Raises:
        SizeError: If an axis is too short or an array has more than `MAX_ELEMENTS`.
    """
    for axis in operation.axes:
        if sizes[axis.name] < axis.minimum:
            raise SizeError(
                _("{axis} is {size}, but must be at least {minimum}.").format(
                    axis=axis.name, size=count(sizes[axis.name]), minimum=count(axis.minimum)
                )
            )
    for argument in operation.arguments:
        _check_extent(argument, sizes)


def element_type(operation: Operation, dtype: str) -> np.dtype[np.generic]:
    """NumPy's type of this name.

    Raises:
        UnknownTypeError: If the operation has no such type.
    """
    if dtype not in operation.dtypes or dtype not in C_TYPES:
        raise UnknownTypeError(dtype)
    return np.dtype(dtype)


def _check_extent(argument: Argument, sizes: Sizes) -> None:
    if argument.role is Role.SIZE:
        elements = _extent(argument, sizes)
        text = _("{name} is {elements}; kernels use 32-bit indices, so the limit is {limit}.")
    else:
        elements = math.prod(argument.extents(sizes))
        text = _(
            "{name} would have {elements} elements; kernels use 32-bit indices, so the limit "
            "is {limit}."
        )
    if elements > MAX_ELEMENTS:
        raise SizeError(
            text.format(name=argument.name, elements=count(elements), limit=count(MAX_ELEMENTS))
        )


def _extent(argument: Argument, sizes: Sizes) -> int:
    return sizes[argument.axis or argument.name]


def _type_of(argument: Argument, chosen: np.dtype[np.generic]) -> np.dtype[np.generic]:
    return np.dtype(argument.dtype) if argument.dtype else chosen


def _make(
    argument: Argument, sizes: Sizes, chosen: np.dtype[np.generic], rng: np.random.Generator
) -> Value:
    if argument.role is Role.SIZE:
        return np.int32(_extent(argument, sizes))
    shape, dtype = argument.extents(sizes), _type_of(argument, chosen)
    if argument.make is None:
        return np.zeros(shape, dtype)
    values: Array = np.ascontiguousarray(argument.make(shape, dtype, rng), dtype)
    return values
