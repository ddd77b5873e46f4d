# SPDX-License-Identifier: MIT

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.backends.cuda.packing import aliases, check_arguments, element_type, plain_type
from threadloom.backends.source import parse
from threadloom.model.array import Values

SOURCE = """\
typedef float real;
using count_t = unsigned long long;
__global__ void k(const real *a, float4 *b, int n, count_t many, double x, bool on) {}
"""
(SIGNATURE,) = parse(SOURCE).kernels


def arguments(**changes: object) -> Values:
    good = {
        "a": np.ones(3, np.float32),
        "b": np.ones(8, np.float32),
        "n": np.int32(3),
        "many": np.uint64(2**40),
        "x": np.float64(0.5),
        "on": np.bool_(True),
    }
    return {**good, **changes}  # type: ignore[dict-item]


def test_each_scalar_gets_the_parameters_type() -> None:
    packed = check_arguments(SIGNATURE, arguments(n=np.int64(7), x=np.float32(2)), SOURCE)
    kinds = {name: np.asarray(value).dtype.name for name, value in packed.items()}
    assert kinds == {
        "a": "float32",
        "b": "float32",
        "n": "int32",
        "many": "uint64",
        "x": "float64",
        "on": "bool",
    }
    assert list(packed) == ["a", "b", "n", "many", "x", "on"]
    assert packed["n"] == 7


def test_a_double_array_for_a_float_pointer_is_refused_with_the_mend() -> None:
    with pytest.raises(LaunchError, match=r"a points to float, .*float64.*astype\(np\.float32\)"):
        check_arguments(SIGNATURE, arguments(a=np.ones(3)), SOURCE)


@pytest.mark.parametrize("value", [np.int64(2**31), np.float64(2.5), np.int64(-(2**31) - 1)])
def test_a_number_that_the_parameter_cannot_hold_is_refused(value: np.generic) -> None:
    with pytest.raises(LaunchError, match="n is int, which cannot hold"):
        check_arguments(SIGNATURE, arguments(n=value), SOURCE)


def test_an_array_for_a_number_is_refused() -> None:
    with pytest.raises(LaunchError, match="n is a scalar int"):
        check_arguments(SIGNATURE, arguments(n=np.ones(3, np.int32)), SOURCE)


def test_a_missing_argument_is_named() -> None:
    values = {name: value for name, value in arguments().items() if name != "many"}
    with pytest.raises(LaunchError, match="parameter many"):
        check_arguments(SIGNATURE, values, SOURCE)


def test_arrays_lie_in_c_order_whatever_they_came_in() -> None:
    turned = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    packed = np.asarray(check_arguments(SIGNATURE, arguments(a=turned), SOURCE)["a"])
    assert packed.flags.c_contiguous
    assert np.array_equal(packed, turned)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("float", "float32"),
        ("float3", "float32"),
        ("double2", "float64"),
        ("uint4", "uint32"),
        ("ulonglong2", "uint64"),
        ("unsigned char", "uint8"),
        ("__half", "float16"),
        ("size_t", "uint64"),
        ("long long", "int64"),
    ],
)
def test_element_types(name: str, dtype: str) -> None:
    assert element_type(name) == np.dtype(dtype)


def test_a_structure_has_no_element_type() -> None:
    assert element_type("Particle") is None


def test_names_of_types_are_followed() -> None:
    known = aliases("typedef unsigned int word;\nusing index = word;\ntypedef a b; typedef b a;")
    assert plain_type("index", known) == "unsigned int"
    assert plain_type("a", known) in {"a", "b"}  # goes round, and ends
    assert plain_type("float", known) == "float"
