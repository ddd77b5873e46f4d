# SPDX-License-Identifier: MIT
"""Softmax of each row of a matrix, one block per row."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import inputs, precision, rules


def _logits(shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator) -> Array:
    """Fill from 100 to 104: their plain exponentials are above what float32 holds."""
    return np.asarray(inputs.unit(shape, dtype, rng) * 4 + 100)


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    x = arrays["x"]
    e = np.exp(x - x.max(axis=1, keepdims=True))
    e /= e.sum(axis=1, keepdims=True)
    return {"y": e}


def _element(lists: Mapping[str, Any], _sizes: Sizes, index: tuple[int, ...]) -> float:
    row = lists["x"][index[0]]
    return 1 / math.fsum(math.exp(other - row[index[1]]) for other in row)


OPERATION = Operation(
    name="softmax",
    title=N_("Softmax"),
    summary=N_("Turn each row into probabilities that add up to 1."),
    formula="y[r][c] = exp(x[r][c]) / Σ exp(x[r][:])",
    axes=(Axis("rows", 1024, N_("rows")), Axis("cols", 1024, N_("columns"))),
    arguments=(
        Argument("x", Role.IN, ("rows", "cols"), _logits),
        Argument("y", Role.OUT, ("rows", "cols"), inputs.poison),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    frameworks={
        "torch": lambda torch, arrays, out: torch.softmax(arrays["x"], dim=1, out=out["y"])
    },
    tolerance=lambda sizes, dtype: precision.accumulated(sizes["cols"], dtype, extra=16),
    bytes_moved=lambda sizes, item: 2 * sizes["rows"] * sizes["cols"] * item,
    flops=lambda sizes: 5 * sizes["rows"] * sizes["cols"],
    variants=(
        Variant(
            name="block_per_row",
            title=N_("One block per row"),
            summary=N_("The threads of a block reduce the maximum and the sum of a row."),
            file="block_per_row.cu",
            entry="softmax",
            rule=rules.row_per_block("rows"),
            follows="y",
        ),
    ),
    row_axis="rows",
)
