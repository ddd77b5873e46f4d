# SPDX-License-Identifier: MIT
"""Inputs at the edge of what a formula takes: no overflow, no division by zero, no lost element."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from threadloom.backends.base import Backend
from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.host.c_loop import c_loop
from threadloom.model.array import Array, Sizes, Value
from threadloom.model.operation import Operation
from threadloom.model.program import Program
from threadloom.services.devices import device_table
from threadloom_kernels import default_launch, discover, make_arguments, read_loop, read_source

OPERATIONS = discover()
Compute = Callable[[Operation, Sizes, str, dict[str, Value]], Mapping[str, Array]]


@pytest.fixture(scope="module")
def engine() -> Backend:
    return EmulatorBackend(device_table.find("RTX 4090"))


@pytest.fixture(params=["kernel", "loop", "numpy"])
def run(request: pytest.FixtureRequest, engine: Backend) -> Compute:
    """One of the three that have to agree: default kernel, C loop, reference."""

    def kernel(
        operation: Operation, sizes: Sizes, dtype: str, values: dict[str, Value]
    ) -> Mapping[str, Array]:
        variant = operation.variants[0]
        program = Program(read_source(operation, variant, dtype), variant.entry)
        launch = default_launch(variant, sizes, np.dtype(dtype).itemsize)
        return engine.run(engine.compile(program), launch, values).arrays

    def loop(
        operation: Operation, _sizes: Sizes, dtype: str, values: dict[str, Value]
    ) -> Mapping[str, Array]:
        compiled = c_loop(read_loop(operation, dtype), values)
        compiled()
        return compiled.outputs

    def numpy(
        operation: Operation, sizes: Sizes, _dtype: str, values: dict[str, Value]
    ) -> Mapping[str, Array]:
        arrays = {name: v for name, v in values.items() if isinstance(v, np.ndarray)}
        return operation.reference(arrays, sizes)

    ways: dict[str, Compute] = {"kernel": kernel, "loop": loop, "numpy": numpy}
    return ways[request.param]


def _run(run: Compute, name: str, sizes: Sizes, dtype: str, **changed: list[float]) -> Array:
    """The output of an operation with some inputs given."""
    operation = OPERATIONS[name]
    values = make_arguments(operation, sizes, dtype, seed=0)
    for argument, given in changed.items():
        old = values[argument]
        assert isinstance(old, np.ndarray)
        values[argument] = np.array(given, dtype).reshape(old.shape)
    return run(operation, sizes, dtype, values)[operation.outputs[0]]


DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


@DTYPES
def test_sigmoid_of_huge_values(run: Compute, dtype: str) -> None:
    x = [-1e30, -1000, -50, -0.0, 50, 1000, 1e30]
    y = _run(run, "sigmoid", {"n": 7}, dtype, x=x)
    assert y.tolist() == pytest.approx([0, 0, 1.9287498e-22, 0.5, 1, 1, 1], rel=1e-6, abs=0)


@DTYPES
def test_softmax_of_huge_and_of_equal_values(run: Compute, dtype: str) -> None:
    x = [-1e30, 1e30, 0, 700, 700, 700]
    y = _run(run, "softmax", {"rows": 2, "cols": 3}, dtype, x=x)
    assert y.tolist() == [[0, 1, 0], pytest.approx([1 / 3] * 3)]


@DTYPES
def test_layer_normalization_of_equal_values(run: Compute, dtype: str) -> None:
    y = _run(run, "layer_norm", {"rows": 1, "cols": 4}, dtype, x=[7, 7, 7, 7], beta=[0, 1, 2, 3])
    assert y.tolist() == [[0, 1, 2, 3]]


@DTYPES
def test_the_value_one_belongs_to_the_last_bin(run: Compute, dtype: str) -> None:
    counts = _run(run, "histogram", {"n": 5, "bins": 4}, dtype, x=[0, 0.25, 0.5, 1, 1])
    assert counts.tolist() == [1, 1, 1, 2]


@DTYPES
def test_a_filter_of_radius_zero_scales_the_image(run: Compute, dtype: str) -> None:
    sizes = {"rows": 2, "cols": 2, "radius": 0}
    output = _run(run, "conv2d", sizes, dtype, image=[1, 2, 3, 4], filter=[2])
    assert output.tolist() == [[2, 4], [6, 8]]


@DTYPES
def test_a_filter_larger_than_the_image(run: Compute, dtype: str) -> None:
    sizes = {"rows": 1, "cols": 2, "radius": 2}
    weights = list(range(25))
    output = _run(run, "conv2d", sizes, dtype, image=[1, 10], filter=[float(w) for w in weights])
    assert output.tolist() == [[12 + 130, 11 + 120]]
