# SPDX-License-Identifier: MIT
"""Count how many elements fall into each bin: atomics in global and in shared memory."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from threadloom.model.array import Array, Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import inputs, rules

_COUNT_BYTES = 4


def _crowded(
    shape: tuple[int, ...], dtype: np.dtype[np.generic], rng: np.random.Generator
) -> Array:
    """Fill from 0 to 1, the denser the closer to 0, so that no two bins should count the same."""
    return np.asarray(inputs.unit(shape, dtype, rng) ** 2)


def _reference(arrays: Mapping[str, Array], sizes: Sizes) -> Mapping[str, Array]:
    bins = sizes["bins"]
    places = (arrays["x"] * bins).astype(np.int32)
    np.minimum(places, bins - 1, out=places)
    return {"counts": np.bincount(places, minlength=bins).astype(np.int32)}


def _element(lists: Mapping[str, Any], sizes: Sizes, index: tuple[int, ...]) -> float:
    bins = sizes["bins"]
    return float(sum(min(int(value * bins), bins - 1) == index[0] for value in lists["x"]))


OPERATION = Operation(
    name="histogram",
    title=N_("Histogram"),
    summary=N_("Count the elements in each of several equal bins."),
    formula="counts[int(x[i] · bins)] += 1",
    axes=(
        Axis("n", 1_000_000, N_("elements")),
        Axis("bins", 256, N_("bins"), set_by_bare_size=False),
    ),
    arguments=(
        Argument("x", Role.IN, ("n",), _crowded),
        Argument("counts", Role.INOUT, ("bins",), dtype="int32"),
        Argument("n", Role.SIZE),
        Argument("bins", Role.SIZE),
    ),
    reference=_reference,
    element=_element,
    tolerance=lambda _sizes, _dtype: 0.0,
    bytes_moved=lambda sizes, item: sizes["n"] * item + sizes["bins"] * _COUNT_BYTES,
    flops=lambda sizes: sizes["n"],
    variants=(
        Variant(
            name="shared_bins",
            title=N_("Bins in shared memory"),
            summary=N_(
                "Each block counts in shared memory, then adds its bins to the global ones."
            ),
            file="shared_bins.cu",
            entry="histogram_shared",
            rule=rules.line_of_x("n", lambda sizes, _block, _item: sizes["bins"] * _COUNT_BYTES),
            follows="counts",
        ),
        Variant(
            name="atomic",
            title=N_("Atomic adds"),
            summary=N_("Every thread adds 1 to its bin in global memory."),
            file="atomic.cu",
            entry="histogram_atomic",
            rule=rules.line_of_x("n"),
            follows="counts",
        ),
    ),
)
