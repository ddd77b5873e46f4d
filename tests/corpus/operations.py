# SPDX-License-Identifier: MIT
"""Every operation and variant once, in float32, at a size that a profiler takes a moment for."""

from __future__ import annotations

from collections.abc import Iterator

from tests.corpus.case import Case

from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Program
from threadloom_kernels import default_launch, discover, make_arguments, read_source

SIZES = {
    "conv2d": {"rows": 150, "cols": 200, "radius": 2},
    "histogram": {"n": 100_000},
    "layer_norm": {"rows": 64, "cols": 1_000},
    "linear_sigmoid": {"rows": 96, "cols": 100, "batch": 32},
    "matmul": {"m": 120, "n": 136, "k": 100},
    "matrix_add": {"rows": 300, "cols": 500},
    "reduce_sum": {"n": 100_000},
    "sigmoid": {"n": 100_000},
    "softmax": {"rows": 64, "cols": 1_000},
    "tensor_add": {"depth": 20, "rows": 60, "cols": 70},
    "transpose": {"rows": 300, "cols": 500},
    "vector_add": {"n": 100_000},
}
"""Edges do not fall together with those of blocks, warps and sectors."""
ONE_BLOCK = {"matrix_add": {"rows": 30, "cols": 31}, "vector_add": {"n": 1_000}}


def operation_cases() -> Iterator[Case]:
    """All of them, by name."""
    for operation in discover().values():
        for variant in operation.variants:
            yield _case(operation, variant)


def _case(operation: Operation, variant: Variant) -> Case:
    known = ONE_BLOCK if variant.max_elements is not None else SIZES
    sizes = operation.sizes(known[operation.name])
    text = read_source(operation, variant, "float32")
    return Case(
        name=f"{operation.name}/{variant.name}",
        program=Program(text, variant.entry, variant.file),
        launch=default_launch(variant, sizes, 4),
        values=lambda: make_arguments(operation, sizes, "float32", seed=1),
    )
