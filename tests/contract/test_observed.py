# SPDX-License-Identifier: MIT
"""No kernel misses an element, races, waits in vain or reads or writes what it must not."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from threadloom.backends.base import Backend
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Operation, Role, Variant
from threadloom.model.program import Program
from threadloom.services.devices import device_table
from threadloom_kernels import default_launch, discover, make_arguments, read_source

CASES = [
    (operation, variant) for operation in discover().values() for variant in operation.variants
]
NAMES = [f"{operation.name}/{variant.name}" for operation, variant in CASES]


@pytest.fixture(scope="module")
def engine() -> Backend:
    return EmulatorBackend(device_table.find("RTX 4090"))


def _problems(
    operation: Operation, variant: Variant
) -> Iterator[tuple[dict[str, int], Dim3 | None]]:
    """Sizes that leave the last blocks partly empty; odd blocks at one of them."""
    axes = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    for extents in ((1, 1, 1), (33, 31, 32), (45, 7, 37)):
        sizes = operation.sizes(dict(zip(axes, extents, strict=False)))
        if variant.max_elements is None or math.prod(sizes.values()) <= variant.max_elements:
            yield sizes, None
    for block in (Dim3(33), Dim3(5, 5), Dim3(32, 3)):
        # Along one axis, the threads of a second would do the same again.
        fits = block.rank <= len(axes) and not variant.rule.block_valid(block)
        if variant.max_elements is None and fits:
            yield sizes, block


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("operation", "variant"), CASES, ids=NAMES)
def test_a_kernel_does_nothing_forbidden(
    engine: Backend, operation: Operation, variant: Variant, dtype: str
) -> None:
    text = read_source(operation, variant, dtype)
    compiled = engine.compile(Program(text, variant.entry, variant.file))
    written = {a.name for a in operation.arguments if a.role is Role.OUT}
    for sizes, block in _problems(operation, variant):
        values = make_arguments(operation, sizes, dtype, seed=7)
        launch = default_launch(variant, sizes, np.dtype(dtype).itemsize, block)
        trace = engine.trace(compiled, launch, values).trace
        assert set(trace.coverage) == set(operation.outputs)
        for name in written:
            assert trace.coverage[name].uncovered == 0, (sizes, launch)
        faults = (trace.oob_reads, trace.oob_writes, trace.oob_threads, trace.uninitialized_reads)
        assert faults == (0, 0, 0, 0), (sizes, launch, trace.violations)
        others = (trace.barrier_divergence, trace.violations, trace.races)
        assert others == (0, (), ()), (sizes, launch)


@pytest.mark.parametrize(("operation", "variant"), CASES, ids=NAMES)
def test_each_element_has_one_writer(
    engine: Backend, operation: Operation, variant: Variant
) -> None:
    text = read_source(operation, variant, "float32")
    compiled = engine.compile(Program(text, variant.entry, variant.file))
    sizes = operation.sizes({axis.name: 10 for axis in operation.axes if axis.set_by_bare_size})
    values = make_arguments(operation, sizes, "float32", seed=7)
    trace = engine.trace(compiled, default_launch(variant, sizes, 4), values).trace
    for name, coverage in trace.coverage.items():
        assert coverage.multi_writer == 0, name
