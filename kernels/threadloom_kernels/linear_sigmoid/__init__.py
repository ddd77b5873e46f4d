# SPDX-License-Identifier: MIT
"""One layer of a neural network: a matrix times a vector, a bias and a sigmoid."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Argument, Axis, LaunchRule, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import elementwise, inputs, precision, rules


def _weights(
    shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator
) -> Array:
    """Fill so that the sums stay where the sigmoid is steep, however long the rows are."""
    return np.asarray(inputs.signed(shape, dtype, rng) * (2 / math.sqrt(shape[-1])))


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    return {"y": elementwise.sigmoid(arrays["x"] @ arrays["W"].T + arrays["b"])}


def _bytes_moved(sizes: Sizes, item: int) -> int:
    """Weights, samples and bias read once, outputs written once."""
    rows, cols, batch = sizes["rows"], sizes["cols"], sizes["batch"]
    return (rows * cols + batch * cols + rows + batch * rows) * item


def _element(lists: Mapping[str, Any], sizes: Sizes, index: tuple[int, ...]) -> float:
    sample, row = index
    terms = (lists["W"][row][i] * lists["x"][sample][i] for i in range(sizes["cols"]))
    return elementwise.sigmoid_element(math.fsum(terms) + lists["b"][row])


OPERATION = Operation(
    name="linear_sigmoid",
    title=N_("Linear layer, sigmoid"),
    summary=N_("One layer of a neural network for a batch of samples."),
    formula="y = σ(W · x + b)",
    axes=(
        Axis("rows", 512, N_("rows of W, outputs")),
        Axis("cols", 512, N_("columns of W, inputs")),
        Axis("batch", 32, N_("samples")),
    ),
    arguments=(
        Argument("W", Role.IN, ("rows", "cols"), _weights),
        Argument("x", Role.IN, ("batch", "cols"), inputs.unit),
        Argument("b", Role.IN, ("rows",), inputs.signed),
        Argument("y", Role.OUT, ("batch", "rows"), inputs.poison),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
        Argument("batch", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    tolerance=lambda sizes, dtype: precision.accumulated(sizes["cols"], dtype, extra=8),
    bytes_moved=_bytes_moved,
    flops=lambda sizes: (2 * sizes["cols"] + 5) * sizes["rows"] * sizes["batch"],
    variants=(
        Variant(
            name="row_per_thread",
            title=N_("One thread per row"),
            summary=N_("Each thread multiplies one row of W by one sample."),
            file="row_per_thread.cu",
            entry="linear_sigmoid",
            rule=LaunchRule(
                block=lambda sizes: (
                    Dim3(rules.THREADS) if sizes["batch"] <= rules.MAX_GRID_YZ else Dim3(1, 1024)
                ),
                grid=rules.plane("batch", "rows").grid,
            ),
            follows="y",
        ),
    ),
    row_axis="batch",
)
