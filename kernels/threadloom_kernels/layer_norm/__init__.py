# SPDX-License-Identifier: MIT
"""Normalize each row of a matrix, one block per row."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import inputs, precision, rules

_EPSILON = 1e-5
"""``EPSILON`` of the sources, as in most neural networks."""


def _scales(shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator) -> Array:
    """Fill from 0.5 to 1.5."""
    return np.asarray(inputs.unit(shape, dtype, rng) + 0.5)


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    x = arrays["x"]
    centered = x - x.mean(axis=1, keepdims=True)
    variance = np.square(centered).mean(axis=1, keepdims=True)
    return {"y": centered / np.sqrt(variance + _EPSILON) * arrays["gamma"] + arrays["beta"]}


def _element(lists: Mapping[str, Any], sizes: Sizes, index: tuple[int, ...]) -> float:
    row, col = lists["x"][index[0]], index[1]
    mean = math.fsum(row) / sizes["cols"]
    variance = math.fsum((value - mean) ** 2 for value in row) / sizes["cols"]
    scaled = (row[col] - mean) / math.sqrt(variance + 1e-5)
    return float(scaled * lists["gamma"][col] + lists["beta"][col])


OPERATION = Operation(
    name="layer_norm",
    title=N_("Layer normalization"),
    summary=N_(
        "Normalize each row to mean 0 and variance 1, then scale by gamma and shift by beta."
    ),
    formula="y = (x - mean) / sqrt(variance + 1e-5) · gamma + beta",
    axes=(Axis("rows", 1024, N_("rows")), Axis("cols", 1024, N_("columns"))),
    arguments=(
        Argument("x", Role.IN, ("rows", "cols"), inputs.unit),
        Argument("gamma", Role.IN, ("cols",), _scales),
        Argument("beta", Role.IN, ("cols",), inputs.signed),
        Argument("y", Role.OUT, ("rows", "cols"), inputs.poison),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    tolerance=lambda sizes, dtype: precision.accumulated(sizes["cols"], dtype, extra=16),
    bytes_moved=lambda sizes, item: 2 * (sizes["rows"] + 1) * sizes["cols"] * item,
    flops=lambda sizes: 8 * sizes["rows"] * sizes["cols"],
    variants=(
        Variant(
            name="block_per_row",
            title=N_("One block per row"),
            summary=N_("The threads of a block reduce the sum and the squares of a row."),
            file="block_per_row.cu",
            entry="layer_norm",
            rule=rules.row_per_block("rows"),
            follows="y",
        ),
    ),
    row_axis="rows",
)
