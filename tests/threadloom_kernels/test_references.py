# SPDX-License-Identifier: MIT
"""Each reference against the textbook's formula, element by element in plain Python."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from threadloom.model.operation import Role
from threadloom_kernels import discover, make_arguments

OPERATIONS = discover()


def _sizes_of(name: str) -> Iterator[dict[str, int]]:
    axes = [axis.name for axis in OPERATIONS[name].axes]
    for extents in ((1, 1, 1), (2, 3, 1), (5, 2, 2), (4, 7, 3), (1, 9, 4)):
        yield dict(zip(axes, extents, strict=False))


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_formula_of_one_element(name: str) -> None:
    assert OPERATIONS[name].element is not None, "its folder needs `element=…` in OPERATION"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_reference_is_the_formula(name: str, dtype: str) -> None:
    operation = OPERATIONS[name]
    formula = operation.element
    assert formula is not None
    for sizes in _sizes_of(name):
        values = make_arguments(operation, sizes, dtype, seed=1)
        arrays = {key: v for key, v in values.items() if isinstance(v, np.ndarray)}
        lists = {key: array.tolist() for key, array in arrays.items()}
        found = operation.reference(arrays, sizes)
        assert set(found) == set(operation.outputs)
        for output, result in found.items():
            assert result.shape == arrays[output].shape
            assert result.dtype == arrays[output].dtype
            assert result.flags.c_contiguous
            expected = np.empty(result.shape)
            for at in np.ndindex(result.shape):
                expected[at] = formula(lists, sizes, at)
            allowed = operation.tolerance(sizes, np.dtype(dtype)) * np.abs(expected).max()
            # The formula is computed in float64: only its own rounding comes on top.
            assert np.abs(result - expected).max() <= allowed + np.finfo(dtype).eps, sizes


def test_a_reference_leaves_its_inputs_alone() -> None:
    for operation in OPERATIONS.values():
        sizes = {axis.name: 3 for axis in operation.axes}
        values = make_arguments(operation, sizes, "float32", seed=1)
        arrays = {key: v for key, v in values.items() if isinstance(v, np.ndarray)}
        before = {key: array.copy() for key, array in arrays.items()}
        operation.reference(arrays, sizes)
        for key, array in arrays.items():
            np.testing.assert_array_equal(array, before[key])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_extremes_neither_overflow_nor_warn(dtype: str) -> None:
    x = np.array([-1e4, -100, -0.0, 0.0, 100, 1e4], dtype)
    y = OPERATIONS["sigmoid"].reference({"x": x}, {"n": 6})["y"]
    assert y.tolist() == pytest.approx([0, math.exp(-100), 0.5, 0.5, 1, 1], rel=1e-2, abs=1e-45)
    row = OPERATIONS["softmax"].reference({"x": x.reshape(1, 6)}, {"rows": 1, "cols": 6})["y"]
    assert row.tolist() == [[0, 0, 0, 0, 0, 1]]


@pytest.mark.parametrize("name", OPERATIONS)
def test_tolerance_and_bytes_follow_the_type(name: str) -> None:
    operation = OPERATIONS[name]
    sizes = operation.sizes({})
    single = operation.tolerance(sizes, np.dtype("float32"))
    double = operation.tolerance(sizes, np.dtype("float64"))
    assert single == pytest.approx(double * 2.0**29)
    assert single < 1e-3
    assert 1.9 < operation.bytes_moved(sizes, 8) / operation.bytes_moved(sizes, 4) <= 2
    assert operation.flops(sizes) >= 0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - {"reduce_sum", "histogram"}))
def test_an_index_that_is_off_by_one_shows(name: str, dtype: str) -> None:
    operation = OPERATIONS[name]
    sizes = operation.sizes(dict.fromkeys((a.name for a in operation.axes if a.default > 4), 40))
    values = make_arguments(operation, sizes, dtype, seed=2)
    arrays = {key: v for key, v in values.items() if isinstance(v, np.ndarray)}
    right = operation.reference(arrays, sizes)
    for argument in operation.arguments:
        if argument.role is not Role.IN:
            continue
        for axis in range(arrays[argument.name].ndim):
            shifted = np.roll(arrays[argument.name], 1, axis)
            wrong = operation.reference({**arrays, argument.name: shifted}, sizes)
            for output, result in right.items():
                allowed = operation.tolerance(sizes, np.dtype(dtype)) * np.abs(result).max()
                share = np.mean(np.abs(wrong[output] - result) > allowed)
                assert share > 0.3, (argument.name, axis)


@pytest.mark.parametrize("n", [2, 33, 1000, 100_000])
def test_a_summand_that_is_missed_shows(n: int) -> None:
    operation = OPERATIONS["reduce_sum"]
    x = make_arguments(operation, {"n": n}, "float32", seed=2)["x"]
    assert isinstance(x, np.ndarray)
    total = operation.reference({"x": x}, {"n": n})["total"][0]
    allowed = operation.tolerance({"n": n}, np.dtype("float32")) * total
    assert np.mean(np.abs(x) > allowed) > 0.8


def test_no_two_bins_count_the_same() -> None:
    operation = OPERATIONS["histogram"]
    sizes = operation.sizes({"bins": 32})
    x = make_arguments(operation, sizes, "float64", seed=2)["x"]
    assert isinstance(x, np.ndarray)
    counts = operation.reference({"x": x}, sizes)["counts"]
    assert len(np.unique(counts)) == 32
    assert counts.sum() == sizes["n"]


def test_bytes_and_operations_of_known_problems() -> None:
    add, matmul = OPERATIONS["vector_add"], OPERATIONS["matmul"]
    assert (add.bytes_moved({"n": 1000}, 4), add.flops({"n": 1000})) == (12_000, 1000)
    cube = {"m": 512, "n": 512, "k": 512}
    assert matmul.flops(cube) == 268_435_456
    assert matmul.bytes_moved(cube, 4) == 3 * 2**20


@pytest.mark.parametrize("name", [n for n, op in OPERATIONS.items() if "cupy" in op.frameworks])
def test_cupys_call_computes_the_reference(name: str) -> None:
    """NumPy takes CuPy's place: what the calls use is named alike in both."""
    operation = OPERATIONS[name]
    sizes = operation.sizes({axis.name: 5 for axis in operation.axes})
    values = make_arguments(operation, sizes, "float64", seed=1)
    arrays = {key: v for key, v in values.items() if isinstance(v, np.ndarray)}
    outputs = {key: arrays[key].copy() for key in operation.outputs}
    operation.frameworks["cupy"](np, arrays, outputs)
    for key, expected in operation.reference(arrays, sizes).items():
        np.testing.assert_allclose(outputs[key], expected, rtol=1e-12)
