# SPDX-License-Identifier: MIT
"""Slide a square filter over an image."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import inputs, precision, rules


def _width(sizes: Sizes) -> int:
    return 2 * sizes["radius"] + 1


def _reference(arrays: Mapping[str, Array], sizes: Sizes) -> Mapping[str, Array]:
    image, weights = arrays["image"], arrays["filter"]
    (rows, cols), radius = image.shape, sizes["radius"]
    output = np.zeros_like(image)
    for i in range(max(-radius, 1 - rows), min(radius, rows - 1) + 1):
        to_rows, from_rows = _overlap(i, rows)
        for j in range(max(-radius, 1 - cols), min(radius, cols - 1) + 1):
            to_cols, from_cols = _overlap(j, cols)
            weight = weights[i + radius, j + radius]
            output[to_rows, to_cols] += weight * image[from_rows, from_cols]
    return {"output": output}


def _overlap(shift: int, extent: int) -> tuple[slice, slice]:
    """Places whose neighbor at ``shift`` lies within the image, and these neighbors."""
    first, last = max(0, -shift), min(extent, extent - shift)
    return slice(first, last), slice(first + shift, last + shift)


def _bytes_moved(sizes: Sizes, item: int) -> int:
    """Image and filter read once, output written once."""
    return (2 * sizes["rows"] * sizes["cols"] + _width(sizes) ** 2) * item


def _element(lists: Mapping[str, Any], sizes: Sizes, index: tuple[int, ...]) -> float:
    radius = sizes["radius"]
    total = 0.0
    for i, j in product(range(2 * radius + 1), repeat=2):
        row, col = index[0] + i - radius, index[1] + j - radius
        if row in range(sizes["rows"]) and col in range(sizes["cols"]):
            total += lists["filter"][i][j] * lists["image"][row][col]
    return total


OPERATION = Operation(
    name="conv2d",
    title=N_("2-D convolution"),
    summary=N_("Convolve an image with a square filter, padded with zeros."),
    formula="output[r][c] = Σ filter[i][j] · image[r + i - radius][c + j - radius]",
    axes=(
        Axis("rows", 512, N_("rows of the image")),
        Axis("cols", 512, N_("columns of the image")),
        Axis("radius", 2, N_("radius of the filter"), minimum=0, set_by_bare_size=False),
    ),
    arguments=(
        Argument("image", Role.IN, ("rows", "cols"), inputs.unit),
        Argument("filter", Role.IN, (_width, _width), inputs.unit),
        Argument("output", Role.OUT, ("rows", "cols"), inputs.poison),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
        Argument("radius", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    tolerance=lambda sizes, dtype: precision.accumulated(_width(sizes) ** 2, dtype),
    bytes_moved=_bytes_moved,
    flops=lambda sizes: 2 * sizes["rows"] * sizes["cols"] * _width(sizes) ** 2,
    variants=(
        Variant(
            name="naive",
            title=N_("One thread per element"),
            summary=N_("Each thread reads its neighborhood from global memory."),
            file="naive.cu",
            entry="conv_naive",
            rule=rules.plane("rows", "cols"),
            follows="output",
        ),
    ),
)
