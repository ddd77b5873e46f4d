# SPDX-License-Identifier: MIT
"""Expressions evaluated as a C++ compiler does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.backends.source.expression import (
    CType,
    ExpressionError,
    Value,
    converted,
    evaluate,
)

UNSIGNED = {"blockIdx.x": 2, "blockDim.x": 256, "threadIdx.x": 37}
NAMES = {name: Value(value, CType.UINT) for name, value in UNSIGNED.items()} | {"n": Value.of(1000)}


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
        ("1u - 2u", 4_294_967_295),
        ("threadIdx.x - 38", 4_294_967_295),
        ("010", 8),
        ("0x1F + 0b101 + 1'000", 1036),
        ("n ? 2 : 3", 2),
        ("1 ? -1 : 2u", 4_294_967_295),
        ("3 > 2", 1),
        ("-1 < 1u", 0),
        ("n < 2000 && n > (3)", 1),
        ("n < 3 > (2)", 0),
        ("0 && 1 / 0", 0),
        ("1 || 1 / 0", 1),
        ("n ? n : n / 0", 1000),
        ("(unsigned char)300 + (short)70000", 4508),
        ("(real)-1 + (half)(2)", 1),
        ("static_cast<unsigned long long>(-1)", 2**64 - 1),
        ("int(3.9) + unsigned(-3.9f)", 0),
        ("sizeof(int) + sizeof(float4) + sizeof(n * 2ll) + sizeof(char*)", 36),
        ("'a' + '\\n' + '\\x10' + '\\0'", 123),
        ("std::max(1, 2) + abs(-3) + ::min(4, 5)", 9),
        ("true + !n + ~0", 0),
        ("ceil(n / 256.0) + floor(1.5) + ceilf(.1f)", 6),
        ("1e3 + 0x1p3 + 1.5f", 1009.5),
        ("0.1f < 0.1", 0),
        ("1 /* one */ + 2", 3),
        ("2147483647 + 1", 2_147_483_648),
        ("0xFFFFFFFF + 1", 0),
        ("2147483648 + 1", 2_147_483_649),
    ],
)
def test_works_out_what_c_would(expression: str, value: float) -> None:
    assert evaluate(expression, NAMES).number == value


@pytest.mark.parametrize(
    "expression",
    [
        "m * 2",
        "n / 0",
        "n % 0",
        "f(n)",
        "__import__('os')",
        "n if n else 1",
        "a[i]",
        "1 << 10000000000",
        "1u << 32",
        "1 << -1",
        "(lambda: 1)()",
        "n.real",
        "",
        "n +",
        "9 ** 9 ** 9",
        "10000000000000000 * 10000000000000000",
        "1.5 % 2",
        "~1.5",
        "1e308 * 10",
        "n = 3",
        "n++",
        "--n",
        "&n",
        "n ?: 1",
        "sizeof(Matrix)",
        '"a"',
        "'ab'",
        "dim3(1, 2)",
    ],
)
def test_refuses_what_is_no_plain_arithmetic(expression: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(expression, NAMES)
    assert caught.value.message
    assert 0 <= caught.value.start <= caught.value.end <= len(expression)


@pytest.mark.parametrize(
    ("expression", "part", "words"),
    [
        ("1 + nn * 2", "nn", "Did you mean “n”?"),
        ("threadIdx.w", "w", "not an axis"),
        ("2 * blockIdx", "blockIdx", "three extents"),
        ("n.x", "n.x", "is a number"),
        ("1 + 4 / (n - 1000)", "4 / (n - 1000)", "Division by zero"),
        ("max(1)", "max(1)", "takes 2 arguments; 1 were given"),
        ("08", "8", "Unexpected"),
        ("5km", "5km", "not a number"),
        ("1)", ")", "Unexpected"),
        ("1) + (2", ")", "Unexpected"),
        ("((1", "", "Expected “)”"),
        ("n! + m", "!", "Unexpected"),
        ("m! + n", "m", "undefined"),
        ("1, 2", ",", "Unexpected"),
        ("18446744073709551616", "18446744073709551616", "too large"),
        ("sizeof(Matrix)", "sizeof(Matrix)", "size of “Matrix”"),
        ("é + n", "é", "undefined"),
        ("'é' + q", "'é'", "not a number"),
    ],
)
def test_the_part_at_fault_is_named(expression: str, part: str, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(expression, NAMES)
    assert expression[caught.value.start : caught.value.end] == part
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("1", CType.INT),
        ("2147483648", CType.LLONG),
        ("0x80000000", CType.UINT),
        ("1l", CType.LLONG),
        ("1ul", CType.ULLONG),
        ("0xFFFFFFFFFFFFFFFF", CType.ULLONG),
        ("'a'", CType.CHAR),
        ("'a' + 'b'", CType.INT),
        ("1u + 1ll", CType.LLONG),
        ("1 + 1u", CType.UINT),
        ("1ll << 1u", CType.LLONG),
        ("1 < 2", CType.BOOL),
        ("1.f * 2", CType.FLOAT),
        ("1.0 * 2", CType.DOUBLE),
        ("sizeof(int)", CType.ULLONG),
    ],
)
def test_types_are_as_in_c(expression: str, kind: CType) -> None:
    assert evaluate(expression, {}).type is kind


def test_an_assigned_value_has_the_variables_type() -> None:
    minus_one = Value(4_294_967_295, CType.UINT)
    assert converted(minus_one, "int") == Value(-1)
    assert converted(minus_one, "const long long").number == 4_294_967_295
    assert converted(minus_one, "auto") == minus_one
    assert converted(Value(3.9, CType.DOUBLE), "int") == Value(3)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9).filter(bool))
def test_division_goes_towards_zero_as_in_c(left: int, right: int) -> None:
    names = {"a": Value(left), "b": Value(right)}
    quotient, rest = evaluate("a / b", names).number, evaluate("a % b", names).number
    assert quotient * right + rest == left
    assert abs(rest) < abs(right)
    assert rest == 0 or (rest < 0) == (left < 0)


@given(st.text(alphabet="n<>(),;123u+-*/%. ?:&|!{}[]\n'eé\"", max_size=30))
def test_no_text_breaks_the_evaluator(text: str) -> None:
    found: list[ExpressionError] = []
    try:
        evaluate(text, NAMES)
    except ExpressionError as error:
        found.append(error)
    assert all(0 <= error.start <= error.end <= len(text) for error in found)
    assert all(error.message for error in found)


@pytest.mark.parametrize("nest", ["(", "-", "(int)", "max(", "!", "1 + (", "{"])
def test_a_bottomless_nest_is_refused(nest: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(nest * 5000 + "1", {})
    assert "nested too deeply" in caught.value.message
