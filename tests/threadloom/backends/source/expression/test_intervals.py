# SPDX-License-Identifier: MIT
"""Bounds of expressions."""

from __future__ import annotations

import math

import pytest

from threadloom.backends.source.expression import UNKNOWN, CType, Interval, bounds

NAMES = {
    "threadIdx.x": Interval(0, 31, CType.UINT),
    "n": Interval(1000, 1000, CType.INT),
    "i": Interval(-5, 7, CType.INT),
    "any": Interval.of(CType.INT),
    "x": Interval.of(CType.FLOAT),
}


@pytest.mark.parametrize(
    ("expression", "least", "most"),
    [
        ("n", 1000, 1000),
        ("i + 1", -4, 8),
        ("-i", -7, 5),
        ("~i", -8, 4),
        ("i * i", -35, 49),
        ("i * -2", -14, 10),
        ("n / i", -1000, 1000),
        ("i / 2", -2, 3),
        ("i % 4", -3, 3),
        ("any % 8", -7, 7),
        ("i & 3", 0, 3),
        ("threadIdx.x | 64", 64, 127),
        ("i ^ 8", -16, 15),
        ("1 << (i & 3)", 1, 8),
        ("n >> (i & 3)", 125, 1000),
        ("threadIdx.x + 1", 1, 32),
        ("threadIdx.x - 1", 0, 4_294_967_295),
        ("32 - threadIdx.x", 1, 32),
        ("(int)(threadIdx.x * 2)", 0, 62),
        ("(unsigned char)i", 0, 255),
        ("(bool)i", 0, 1),
        ("i < 8", 1, 1),
        ("i >= 8", 0, 0),
        ("i == 3", 0, 1),
        ("i != 9", 1, 1),
        ("unknown < 3", 0, 1),
        ("i && 0", 0, 0),
        ("i || n", 1, 1),
        ("unknown && n", 0, 1),
        ("i ? n : 3", 3, 1000),
        ("n ? i : n / 0", -5, 7),
        ("min(i, 3)", -5, 3),
        ("max(i, 3)", 3, 7),
        ("abs(i)", 0, 7),
        ("n * 3000000", 3_000_000_000, 3_000_000_000),
        ("(int)(0.5f * n)", 500, 500),
        ("sizeof(i)", 4, 4),
        ("!i", 0, 1),
    ],
)
def test_bounds_are_the_narrowest_that_can_be_told(expression: str, least: int, most: int) -> None:
    found = bounds(expression, NAMES)
    assert (found.least, found.most) == (least, most)


@pytest.mark.parametrize("expression", ["m", "a[i] + 1", "f(n)", "i +", "n / m", "-m"])
def test_nothing_is_said_of_what_is_not_understood(expression: str) -> None:
    assert bounds(expression, NAMES) == UNKNOWN


def test_numbers_with_a_fraction_have_no_bounds() -> None:
    assert bounds("x * 2", NAMES) == Interval(-math.inf, math.inf, CType.FLOAT)


@pytest.mark.parametrize(
    ("expression", "overflows"),
    [
        ("n * 3000000", True),
        ("-n * 3000000", True),
        ("(long long)n * 3000000", False),
        ("n * 3000000u", False),
        ("any * 2", False),
        ("any + any", False),
    ],
)
def test_an_int_overflows_if_no_value_fits(expression: str, overflows: bool) -> None:
    assert bounds(expression, NAMES).overflows is overflows
