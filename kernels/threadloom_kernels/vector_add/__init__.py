# SPDX-License-Identifier: MIT
"""Add two vectors: the first kernel of every CUDA course."""

from threadloom.model.array import Sizes
from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Argument, Axis, LaunchRule, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import elementwise, inputs, precision, rules

_MOST_BLOCKS = 1_024
"""Enough to fill every GPU of the device table with blocks of 256; more only adds overhead."""


def _stride_grid(sizes: Sizes, block: Dim3) -> Dim3:
    return Dim3(min(rules.blocks_for(sizes["n"], block.x), _MOST_BLOCKS))


OPERATION = Operation(
    name="vector_add",
    title=N_("Vector add"),
    summary=N_("Add two vectors, element by element."),
    formula="c[i] = a[i] + b[i]",
    axes=(Axis("n", 1_000_000, N_("elements")),),
    arguments=(
        Argument("a", Role.IN, ("n",), inputs.unit),
        Argument("b", Role.IN, ("n",), inputs.unit),
        Argument("c", Role.OUT, ("n",), inputs.poison),
        Argument("n", Role.SIZE),
    ),
    reference=elementwise.add("a", "b", "c"),
    element=elementwise.add_element("a", "b"),
    frameworks=elementwise.add_frameworks("a", "b", "c"),
    tolerance=lambda _sizes, dtype: precision.rounding(1, dtype),
    bytes_moved=lambda sizes, item: 3 * sizes["n"] * item,
    flops=lambda sizes: sizes["n"],
    variants=(
        Variant(
            name="grid",
            title=N_("Blocks in a grid"),
            summary=N_("One element per thread, with enough blocks for all elements."),
            file="grid.cu",
            entry="vec_add",
            rule=rules.line("n"),
            follows="c",
        ),
        Variant(
            name="one_block",
            title=N_("One block"),
            summary=N_("One element per thread, all threads in one block: at most 1,024."),
            file="one_block.cu",
            entry="vec_add",
            rule=LaunchRule(
                block=lambda sizes: Dim3(sizes["n"]),
                grid=lambda _sizes, _block: Dim3(1),
            ),
            follows="c",
            max_elements=rules.MAX_BLOCK,
        ),
        Variant(
            name="grid_stride",
            title=N_("Grid-stride loop"),
            summary=N_(
                "Each thread advances through the vector by the number of threads in the grid."
            ),
            file="grid_stride.cu",
            entry="vec_add",
            rule=LaunchRule(block=lambda _sizes: Dim3(rules.THREADS), grid=_stride_grid),
            follows="c",
        ),
    ),
    row_axis="n",
)
