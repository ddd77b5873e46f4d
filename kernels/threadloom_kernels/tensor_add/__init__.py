# SPDX-License-Identifier: MIT
"""Add two tensors of three axes: blocks and grids of three dimensions."""

from threadloom.model.array import Sizes
from threadloom.model.operation import Argument, Axis, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import elementwise, inputs, precision, rules


def _elements(sizes: Sizes) -> int:
    return sizes["depth"] * sizes["rows"] * sizes["cols"]


OPERATION = Operation(
    name="tensor_add",
    title=N_("Tensor add"),
    summary=N_("Add two 3-D tensors, element by element."),
    formula="c[plane][row][col] = a[plane][row][col] + b[plane][row][col]",
    axes=(
        Axis("depth", 64, N_("planes")),
        Axis("rows", 128, N_("rows")),
        Axis("cols", 128, N_("columns")),
    ),
    arguments=(
        Argument("a", Role.IN, ("depth", "rows", "cols"), inputs.unit),
        Argument("b", Role.IN, ("depth", "rows", "cols"), inputs.unit),
        Argument("c", Role.OUT, ("depth", "rows", "cols"), inputs.poison),
        Argument("depth", Role.SIZE),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
    ),
    reference=elementwise.add("a", "b", "c"),
    element=elementwise.add_element("a", "b"),
    frameworks=elementwise.add_frameworks("a", "b", "c"),
    tolerance=lambda _sizes, dtype: precision.rounding(1, dtype),
    bytes_moved=lambda sizes, item: 3 * _elements(sizes) * item,
    flops=_elements,
    variants=(
        Variant(
            name="grid",
            title=N_("Blocks in a grid"),
            summary=N_("One element per thread, in a three-dimensional grid."),
            file="grid.cu",
            entry="tensor_add",
            rule=rules.space("depth", "rows", "cols"),
            follows="c",
        ),
    ),
    row_axis="depth",
)
