# SPDX-License-Identifier: MIT
"""Add up a vector: atomics, and a tree in shared memory."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import inputs, precision, rules

_MEAN = 1 / 256
_FIRST = 8


def _summands(
    shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator
) -> Array:
    """Fill from -1/2 to 1/2 with a small positive mean and a larger first element.

    The sum then grows with the length but never cancels, and even a running float32 sum stays
    below 2²³ up to 2³¹ elements: from there on it would drop such terms.
    """
    values = inputs.signed(shape, dtype, rng) / 2 + _MEAN
    values[0] += _FIRST
    return np.asarray(values, dtype)


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    return {"total": np.sum(arrays["x"], keepdims=True)}


def _element(lists: Mapping[str, Any], _sizes: Sizes, _index: tuple[int, ...]) -> float:
    return math.fsum(lists["x"])


OPERATION = Operation(
    name="reduce_sum",
    title=N_("Sum"),
    summary=N_("Add up all elements of a vector."),
    formula="total = x[0] + x[1] + …",
    axes=(Axis("n", 1_000_000, N_("elements")),),
    arguments=(
        Argument("x", Role.IN, ("n",), _summands),
        Argument("total", Role.INOUT, (1,)),
        Argument("n", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    frameworks={
        "cupy": lambda cp, arrays, out: cp.sum(arrays["x"], keepdims=True, out=out["total"]),
        "torch": lambda torch, arrays, out: torch.sum(
            arrays["x"], dim=0, keepdim=True, out=out["total"]
        ),
    },
    tolerance=lambda sizes, dtype: precision.accumulated(sizes["n"], dtype),
    bytes_moved=lambda sizes, item: (sizes["n"] + 1) * item,
    flops=lambda sizes: sizes["n"],
    variants=(
        Variant(
            name="atomic",
            title=N_("Atomic adds"),
            summary=N_("Every thread adds its element to one address."),
            file="atomic.cu",
            entry="sum_atomic",
            rule=rules.line_of_x("n"),
            follows="total",
        ),
        Variant(
            name="shared_tree",
            title=N_("Tree in shared memory"),
            summary=N_("Each block halves its elements in every step of a tree reduction."),
            file="shared_tree.cu",
            entry="sum_tree",
            rule=rules.line_of_x("n", lambda _sizes, block, item: block.x * item),
            follows="total",
        ),
    ),
)
