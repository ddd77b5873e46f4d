# SPDX-License-Identifier: MIT
"""Arguments come in kernel order, repeat with their seed and reveal their position."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from threadloom.model.array import Array
from threadloom.model.operation import Argument, Operation, Role
from threadloom_kernels import (
    MAX_ELEMENTS,
    SizeError,
    UnknownTypeError,
    check_sizes,
    discover,
    inputs,
    make_arguments,
    memory_bytes,
)

OPERATIONS = discover()
ALL = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=list(OPERATIONS))
DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


def _small(operation: Operation) -> dict[str, int]:
    """Small sizes, different along every axis."""
    return {axis.name: size for axis, size in zip(operation.axes, (7, 5, 3), strict=False)}


@ALL
@DTYPES
def test_arguments_are_as_declared(operation: Operation, dtype: str) -> None:
    sizes = _small(operation)
    values = make_arguments(operation, sizes, dtype, seed=0)
    assert list(values) == [argument.name for argument in operation.arguments]
    for argument in operation.arguments:
        value = values[argument.name]
        if argument.role is Role.SIZE:
            assert isinstance(value, np.int32)
            assert value == sizes[argument.axis or argument.name]
        else:
            assert isinstance(value, np.ndarray)
            assert value.shape == argument.extents(sizes)
            assert value.dtype == (argument.dtype or dtype)
            assert value.flags.c_contiguous
            assert value.flags.owndata


@ALL
def test_the_same_seed_gives_the_same_values_and_another_seed_others(operation: Operation) -> None:
    first, again, other = (
        make_arguments(operation, _small(operation), "float32", seed) for seed in (3, 3, -4)
    )
    for argument in operation.arguments:
        np.testing.assert_array_equal(first[argument.name], again[argument.name])
        if argument.role is Role.IN:
            assert not np.array_equal(first[argument.name], other[argument.name])


@ALL
def test_an_output_that_nobody_writes_cannot_pass_for_a_result(operation: Operation) -> None:
    values = make_arguments(operation, _small(operation), "float64", seed=0)
    for argument in operation.arguments:
        if argument.role is Role.OUT:
            assert np.isnan(values[argument.name]).all()
        if argument.role is Role.INOUT:
            assert not np.any(values[argument.name])


@ALL
@DTYPES
@pytest.mark.parametrize("seed", range(5))
def test_neighbors_differ_along_every_axis(operation: Operation, dtype: str, seed: int) -> None:
    sizes = {axis.name: min(axis.default, 40) for axis in operation.axes}
    values = make_arguments(operation, sizes, dtype, seed)
    for argument in operation.arguments:
        value = values[argument.name]
        if argument.role is not Role.IN:
            continue
        assert isinstance(value, np.ndarray)
        assert np.isfinite(value).all()
        for axis in range(value.ndim):
            step = np.abs(np.diff(value, axis=axis)).min()
            assert step > 1e-4 * np.ptp(value), (argument.name, axis)
        if value.ndim == 2 and value.shape[0] == value.shape[1]:
            assert not np.allclose(value, value.T)


@DTYPES
@pytest.mark.parametrize("shape", [(1,), (1000,), (37, 41), (5, 6, 7)])
def test_unit_values_fill_their_range_and_keep_their_distance(
    dtype: str, shape: tuple[int, ...]
) -> None:
    for seed in range(20):
        values = inputs.unit(shape, np.dtype(dtype), np.random.default_rng(seed))
        assert 0 <= values.min() <= values.max() <= 1
        for axis in range(len(shape)):
            assert np.abs(np.diff(values, axis=axis)).min(initial=1) > 0.02
        if values.size == 1000:
            assert values.min() < 0.05 < 0.95 < values.max()
            assert len(np.unique(values)) == 1000


@pytest.mark.parametrize("n", [1, 2, 3, 10, 100, 400, 1000, 3000, 10_000, 100_000])
def test_a_sum_never_cancels(n: int) -> None:
    for seed in range(40):
        x = make_arguments(OPERATIONS["reduce_sum"], {"n": n}, "float64", seed)["x"]
        assert isinstance(x, np.ndarray)
        running = np.cumsum(x)
        assert running[-1] > 2, seed
        assert np.abs(running).max() < 3 * running[-1], seed


def test_a_running_float32_sum_keeps_its_digits_over_many_elements() -> None:
    operation, sizes = OPERATIONS["reduce_sum"], {"n": 4_000_000}
    x = make_arguments(operation, sizes, "float32", 0)["x"]
    assert isinstance(x, np.ndarray)
    exact = math.fsum(x)
    allowed = operation.tolerance(sizes, np.dtype("float32")) * exact
    assert abs(float(np.cumsum(x)[-1]) - exact) < allowed
    assert allowed < 1e-3 * exact


def test_sizes_that_no_kernel_takes_are_refused_with_the_number() -> None:
    operation = OPERATIONS["matmul"]
    sizes = {"m": 4, "n": 4, "k": 4}
    with pytest.raises(SizeError, match="n is 0, but must be at least 1\\."):
        check_sizes(operation, sizes | {"n": 0})
    with pytest.raises(SizeError, match=r"B would have 4,000,000,000 elements.*2,147,482,624"):
        make_arguments(operation, sizes | {"n": 10**9}, "float32", 0)
    with pytest.raises(SizeError, match=r"a would have 2,147,483,647 elements"):
        check_sizes(OPERATIONS["vector_add"], {"n": 2**31 - 1})
    check_sizes(OPERATIONS["vector_add"], {"n": MAX_ELEMENTS})


def test_the_last_thread_of_the_largest_array_has_an_int_for_index() -> None:
    for block in range(1, 1025):
        threads = -(-MAX_ELEMENTS // block) * block
        assert threads - 1 < 2**31


def test_a_size_alone_may_be_too_large() -> None:
    operation = OPERATIONS["vector_add"]
    only = replace(operation, arguments=(Argument("count", Role.SIZE, axis="n"),))
    with pytest.raises(SizeError, match="count is 3,000,000,000"):
        check_sizes(only, {"n": 3_000_000_000})


@ALL
@DTYPES
def test_memory_is_known_without_making_it(operation: Operation, dtype: str) -> None:
    sizes = _small(operation)
    arrays = make_arguments(operation, sizes, dtype, 0).values()
    made = sum(value.nbytes for value in arrays if isinstance(value, np.ndarray))
    assert memory_bytes(operation, sizes, dtype) == made


def test_memory_of_what_could_never_be_made() -> None:
    assert memory_bytes(OPERATIONS["vector_add"], {"n": 10**12}, "float64") == 24 * 10**12


def test_an_unknown_type_is_refused() -> None:
    for dtype in ("int8", "float16", ""):
        with pytest.raises(UnknownTypeError):
            make_arguments(OPERATIONS["sigmoid"], {"n": 1}, dtype, 0)
        with pytest.raises(UnknownTypeError):
            memory_bytes(OPERATIONS["sigmoid"], {"n": 1}, dtype)


def test_errors_can_be_sent_to_another_process() -> None:
    for error in (SizeError("n is 0."), UnknownTypeError("int8")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_users_own_values_become_contiguous_and_of_the_type() -> None:
    def columns(
        shape: tuple[int, ...], _dtype: np.dtype[np.generic], _rng: np.random.Generator
    ) -> Array:
        return np.asfortranarray(np.arange(math.prod(shape), dtype=np.int64).reshape(shape))

    operation = OPERATIONS["transpose"]
    changed = tuple(
        Argument(a.name, a.role, a.shape, columns) if a.name == "A" else a
        for a in operation.arguments
    )
    own = replace(operation, arguments=changed)
    made = make_arguments(own, {"rows": 2, "cols": 3}, "float32", 0)["A"]
    assert isinstance(made, np.ndarray)
    assert made.flags.c_contiguous
    assert made.dtype == np.float32
    assert made.tolist() == [[0, 1, 2], [3, 4, 5]]
