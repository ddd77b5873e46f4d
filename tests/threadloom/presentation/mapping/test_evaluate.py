# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.presentation.mapping.evaluate import UnknownError, evaluate

NAMES = {"blockIdx.x": 2, "blockDim.x": 256, "threadIdx.x": 37, "n": 1000}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("blockIdx.x * blockDim.x + threadIdx.x", 549),
        ("(size_t)blockIdx.x * blockDim.x + threadIdx.x", 549),
        ("threadIdx.x / 2", 18),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("n - 1 - threadIdx.x", 962),
        ("threadIdx.x >> 5", 1),
        ("threadIdx.x & 31", 5),
        ("min(n, 10u)", 10),
        ("2ULL * n", 2000),
    ],
)
def test_works_out_what_c_would(expression: str, value: int) -> None:
    assert evaluate(expression, NAMES) == value


@pytest.mark.parametrize(
    "expression",
    [
        "m * 2",
        "n / 0",
        "f(n)",
        "__import__('os')",
        "n if n else 1",
        "a[i]",
        "1 << 10000000000",
        "(lambda: 1)()",
        "n.real",
        "",
        "n +",
        "9 ** 9 ** 9",
        "10000000000000000 * 10000000000000000",
    ],
)
def test_refuses_what_is_no_plain_arithmetic(expression: str) -> None:
    with pytest.raises(UnknownError):
        evaluate(expression, NAMES)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9).filter(bool))
def test_division_goes_towards_zero_as_in_c(left: int, right: int) -> None:
    names = {"a": left, "b": right}
    quotient, rest = evaluate("a / b", names), evaluate("a % b", names)
    assert quotient * right + rest == left
    assert abs(rest) < abs(right)
    assert rest == 0 or (rest < 0) == (left < 0)
