# SPDX-License-Identifier: MIT
"""Every operation's C loop, as the baselines compile it, against NumPy."""

from collections.abc import Iterator

import numpy as np
import pytest

from threadloom.backends.host.c_loop import c_loop
from threadloom.model.operation import Operation
from threadloom.services.run.compare import compare
from threadloom_kernels import discover, make_arguments, read_loop

OPERATIONS = discover()


def _problems(operation: Operation) -> Iterator[dict[str, int]]:
    axes = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    for size in (1, 31, 32, 33, 127):
        yield operation.sizes(dict.fromkeys(axes, size))
    yield operation.sizes(dict(zip(axes, (3, 70, 41), strict=False)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_loop_agrees_with_numpy(name: str, dtype: str) -> None:
    operation = OPERATIONS[name]
    for sizes in _problems(operation):
        values = make_arguments(operation, sizes, dtype, seed=5)
        arrays = {key: v for key, v in values.items() if isinstance(v, np.ndarray)}
        expected = operation.reference(arrays, sizes)
        loop = c_loop(read_loop(operation, dtype), values)
        loop()
        assert set(loop.outputs) == set(operation.outputs)
        tolerance = operation.tolerance(sizes, np.dtype(dtype))
        for array, output in loop.outputs.items():
            result = compare(array, output, expected[array], tolerance)
            assert result.matches, (sizes, result)
