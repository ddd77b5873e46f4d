# SPDX-License-Identifier: MIT
"""All operations × variants × element types on the engines of this machine, against NumPy.

A GPU's results are recorded on a machine that has one; see `test_gpu_record.py`.
"""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from threadloom.backends.base import Backend, Compiled
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Program
from threadloom.services.devices import device_table
from threadloom.services.run.compare import compare
from threadloom_kernels import default_launch, discover, make_arguments, read_source

CASES = [
    (operation, variant, dtype)
    for operation in discover().values()
    for variant in operation.variants
    for dtype in operation.dtypes
]
NAMES = [f"{operation.name}/{variant.name}-{dtype}" for operation, variant, dtype in CASES]

AWKWARD = (1, 31, 32, 33, 127)
"""One, a warp and its neighbors, and a prime."""
LARGE = 1_000_003
"""About as many elements, or steps of the innermost loop, has the large problem."""
BLOCKS = (Dim3(1), Dim3(33), Dim3(100), Dim3(7, 5), Dim3(32, 3), Dim3(13, 13), Dim3(3, 2, 4))
"""Blocks that are no multiple of a warp, or of odd shape."""


@pytest.fixture(scope="module")
def engine() -> Backend:
    return EmulatorBackend(device_table.find("RTX 4090"))


def _bare(operation: Operation, size: int) -> dict[str, int]:
    axes = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    return operation.sizes(dict.fromkeys(axes, size))


def _problems(operation: Operation, variant: Variant) -> Iterator[dict[str, int]]:
    """Equal and unequal extents, and one large problem, as far as the variant can cover them."""
    axes = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    tried = [_bare(operation, size) for size in AWKWARD]
    tried.append(operation.sizes(dict(zip(axes, (37, 5, 61), strict=False))))
    tried.append(operation.sizes(dict(zip(axes, (3, 130, 41), strict=False))))
    edge = round(LARGE ** (1 / max(len(axes), 1)))
    tried.append(_bare(operation, edge))
    for sizes in tried:
        if variant.max_elements is None or math.prod(sizes.values()) <= variant.max_elements:
            yield sizes


def _check(
    engine: Backend,
    compiled: Compiled,
    case: tuple[Operation, Variant, str],
    sizes: dict[str, int],
    block: Dim3 | None = None,
) -> None:
    operation, variant, dtype = case
    values = make_arguments(operation, sizes, dtype, seed=7)
    launch = default_launch(variant, sizes, np.dtype(dtype).itemsize, block)
    outputs = engine.run(compiled, launch, values).arrays
    arrays = {name: v for name, v in values.items() if isinstance(v, np.ndarray)}
    tolerance = operation.tolerance(sizes, np.dtype(dtype))
    for name, expected in operation.reference(arrays, sizes).items():
        result = compare(name, outputs[name], expected, tolerance)
        assert result.matches, (sizes, launch, result)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_kernel_is_right_at_every_size(
    engine: Backend, case: tuple[Operation, Variant, str]
) -> None:
    operation, variant, dtype = case
    program = Program(read_source(operation, variant, dtype), variant.entry, variant.file)
    compiled = engine.compile(program)
    for sizes in _problems(operation, variant):
        _check(engine, compiled, case, sizes)
    for block in BLOCKS:
        if variant.max_elements is None and not variant.rule.block_valid(block):
            _check(engine, compiled, case, _bare(operation, 33), block)
