# SPDX-License-Identifier: MIT
"""The sigmoid of each element, through a function of the device."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import elementwise, inputs, precision, rules

_EXTREME = 85.0
"""Largest input: ``exp(-85)`` is still a normal float32, so no result depends on how tinier ones
are rounded."""


def _steep(shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator) -> Array:
    """Fill from -85 to 85, most near 0, where the sigmoid is not flat."""
    x = inputs.signed(shape, dtype, rng)
    return np.asarray(_EXTREME * x * x * x)


def _reference(arrays: Mapping[str, Array], _sizes: Sizes) -> Mapping[str, Array]:
    return {"y": elementwise.sigmoid(arrays["x"])}


def _element(lists: Mapping[str, Any], _sizes: Sizes, index: tuple[int, ...]) -> float:
    return elementwise.sigmoid_element(lists["x"][index[0]])


OPERATION = Operation(
    name="sigmoid",
    title=N_("Sigmoid"),
    summary=N_("Map each element to the range from 0 to 1."),
    formula="y[i] = 1 / (1 + exp(-x[i]))",
    axes=(Axis("n", 1_000_000, N_("elements")),),
    arguments=(
        Argument("x", Role.IN, ("n",), _steep),
        Argument("y", Role.OUT, ("n",), inputs.poison),
        Argument("n", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    frameworks={"torch": lambda torch, arrays, out: torch.sigmoid(arrays["x"], out=out["y"])},
    tolerance=lambda _sizes, dtype: precision.rounding(8, dtype),
    bytes_moved=lambda sizes, item: 2 * sizes["n"] * item,
    flops=lambda sizes: 4 * sizes["n"],
    variants=(
        Variant(
            name="grid",
            title=N_("Blocks in a grid"),
            summary=N_("One element per thread; the formula is a __device__ function."),
            file="grid.cu",
            entry="sigmoid",
            rule=rules.line("n"),
            follows="y",
        ),
    ),
    row_axis="n",
)
