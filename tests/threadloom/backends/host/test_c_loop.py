# SPDX-License-Identifier: MIT

import numpy as np
import pytest

from threadloom.backends.host import c_loop, c_loop_label, measure
from threadloom.backends.toolchain import ToolchainError
from threadloom.model.array import Values
from threadloom.model.timing.samples import StoppingCriterion
from threadloom_kernels import discover, make_arguments
from threadloom_kernels.source import read_loop

SCALE = """\
typedef float real;
void loop(const real *restrict a, real *b, float by, int n)
{
    for (int i = 0; i < n; i++)
        b[i] += by * a[i];
}
"""
SMALL = 33


def test_the_loop_writes_its_own_copy() -> None:
    a, b = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    loop = c_loop(SCALE, {"a": a, "b": b, "by": np.float32(2), "n": np.int32(5)})
    loop()
    loop.repeat(2)
    assert loop.outputs["b"].tolist() == [1, 7, 13, 19, 25]
    assert set(loop.outputs) == {"b"}
    assert b.tolist() == [1] * 5


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted(discover()))
def test_every_operations_loop_agrees_with_numpy(name: str, dtype: str) -> None:
    operation = discover()[name]
    sizes = operation.sizes({axis.name: SMALL for axis in operation.axes if axis.set_by_bare_size})
    values = make_arguments(operation, sizes, dtype, seed=1)
    loop = c_loop(read_loop(operation, dtype), values)
    loop()
    arrays = {k: v for k, v in values.items() if isinstance(v, np.ndarray)}
    reference = operation.reference(arrays, sizes)
    for output in operation.outputs:
        expected = reference[output]
        allowed = operation.tolerance(sizes, np.dtype(dtype)) * np.abs(expected).max()
        assert np.abs(loop.outputs[output] - expected).max() <= allowed


def test_short_loops_are_timed_without_pythons_overhead() -> None:
    a, b = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    loop = c_loop(SCALE, {"a": a, "b": b, "by": np.float32(0), "n": np.int32(4)})
    rule = StoppingCriterion(min_samples=3, max_samples=10, time_limit_s=0.1)
    within, across = measure(loop, rule, loop.repeat), measure(loop, rule)
    assert 0 < within.min_s < across.min_s / 5


def test_a_wrong_number_of_arguments_is_refused() -> None:
    with pytest.raises(ValueError, match="4 parameters for 1"):
        c_loop(SCALE, {"a": np.ones(1, np.float32)})


def test_a_broken_source_says_so() -> None:
    values: Values = {"a": np.ones(1, np.float32), "n": np.int32(1)}
    with pytest.raises(ToolchainError, match="undeclared"):
        c_loop("void loop(float *a, int n) { a[0] = nothere; }", values)


def test_named() -> None:
    assert str(c_loop_label()) == "C loop, 1 thread"
