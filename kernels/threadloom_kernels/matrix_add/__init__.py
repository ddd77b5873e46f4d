# SPDX-License-Identifier: MIT
"""Add two matrices: blocks and grids of two dimensions."""

from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Argument, Axis, LaunchRule, Operation, Role, Variant
from threadloom.text import N_
from threadloom_kernels import elementwise, inputs, precision, rules

OPERATION = Operation(
    name="matrix_add",
    title=N_("Matrix add"),
    summary=N_("Add two matrices, element by element."),
    formula="C[row][col] = A[row][col] + B[row][col]",
    axes=(Axis("rows", 1024, N_("rows")), Axis("cols", 1024, N_("columns"))),
    arguments=(
        Argument("A", Role.IN, ("rows", "cols"), inputs.unit),
        Argument("B", Role.IN, ("rows", "cols"), inputs.unit),
        Argument("C", Role.OUT, ("rows", "cols"), inputs.poison),
        Argument("rows", Role.SIZE),
        Argument("cols", Role.SIZE),
    ),
    reference=elementwise.add("A", "B", "C"),
    element=elementwise.add_element("A", "B"),
    frameworks=elementwise.add_frameworks("A", "B", "C"),
    tolerance=lambda _sizes, dtype: precision.rounding(1, dtype),
    bytes_moved=lambda sizes, item: 3 * sizes["rows"] * sizes["cols"] * item,
    flops=lambda sizes: sizes["rows"] * sizes["cols"],
    variants=(
        Variant(
            name="grid",
            title=N_("Blocks in a grid"),
            summary=N_("One element per thread, in a grid of two-dimensional blocks."),
            file="grid.cu",
            entry="mat_add",
            rule=rules.plane("rows", "cols"),
            follows="C",
        ),
        Variant(
            name="one_block",
            title=N_("One block"),
            summary=N_("One element per thread, all threads in one block: at most 1,024."),
            file="one_block.cu",
            entry="mat_add",
            rule=LaunchRule(
                block=lambda sizes: Dim3(sizes["cols"], sizes["rows"]),
                grid=lambda _sizes, _block: Dim3(1),
            ),
            follows="C",
            max_elements=rules.MAX_BLOCK,
        ),
    ),
    row_axis="rows",
)
