# SPDX-License-Identifier: MIT
"""Doubles rounded in a given direction, against exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

NUMBERS = [1.0, 3.0, -0.1, 1e-30, -7.25e200, 1.7e308, 5e-324, 2.0**-1022, 1 / 3, -12345.678]
PAIRS = [(a, b) for a in NUMBERS for b in NUMBERS]
MODES = ("rn", "rz", "ru", "rd")
EXACT: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "dadd": lambda a, b: a + b,
    "dsub": lambda a, b: a - b,
    "dmul": lambda a, b: a * b,
    "ddiv": lambda a, b: a / b,
    "fma": lambda a, b: a * b + a,
}


def rounded(exact: Fraction, mode: str) -> float:
    """The double that IEEE 754 has for a number; none of the numbers here is a tie."""
    try:
        near = float(exact)
    except OverflowError:
        near = math.inf if exact > 0 else -math.inf
    if mode == "rn":
        return near
    up = mode == "ru" or (mode == "rz" and exact < 0)
    if math.isinf(near):
        return near if up == (near > 0) else math.copysign(np.finfo(float).max, near)
    if up:
        return near if Fraction(near) >= exact else math.nextafter(near, math.inf)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def test_arithmetic_of_doubles(lab: Any) -> None:
    calls = [f"__{name}_{mode}(a, b{', a' * (name == 'fma')})" for name in EXACT for mode in MODES]
    lines = "".join(f"    o[{len(calls)} * i + {n}] = {call};\n" for n, call in enumerate(calls))
    text = f"""__global__ void k(double *o, const double *x) {{
    int i = threadIdx.x;
    double a = x[2 * i], b = x[2 * i + 1];
{lines}}}"""
    out = lab.both(
        text, (1,), (len(PAIRS),), o=np.zeros(len(PAIRS) * len(calls)), x=np.array(PAIRS)
    ).arrays["o"]
    wanted = [
        rounded(exact(Fraction(a), Fraction(b)), mode)
        for a, b in PAIRS
        for exact in EXACT.values()
        for mode in MODES
    ]
    apart = [
        (calls[n % len(calls)], PAIRS[n // len(calls)], got, right)
        for n, (got, right) in enumerate(zip(out.tolist(), wanted, strict=True))
        if got != right
    ]
    assert apart == []


def test_roots_and_whole_numbers(lab: Any) -> None:
    text = """__global__ void k(double *o, double two, long long n, unsigned long long u) {
    o[0] = __dsqrt_rd(two); o[1] = __dsqrt_ru(two); o[2] = __dsqrt_rz(two); o[3] = __dsqrt_ru(4.0);
    o[4] = __drcp_rd(3.0); o[5] = __drcp_ru(3.0);
    o[6] = __ll2double_rd(n); o[7] = __ll2double_ru(n); o[8] = __ll2double_rz(-n);
    o[9] = __ull2double_rd(u); o[10] = __ull2double_ru(u); o[11] = __ull2double_rz(u - 1);
}"""
    values = {"two": np.float64(2), "n": np.int64(2**53 + 1), "u": np.uint64(2**64 - 1)}
    out = lab.both(text, (1,), (1,), o=np.zeros(12), **values).arrays["o"].tolist()
    root, third = math.sqrt(2), 1 / 3
    low = root if Fraction(root) ** 2 < 2 else math.nextafter(root, 0)
    below = third if Fraction(third) * 3 < 1 else math.nextafter(third, 0)
    n, top = 2.0**53, 2.0**64
    assert out[:4] == [low, math.nextafter(low, 2), low, 2]
    assert out[4:6] == [below, math.nextafter(below, 1)]
    assert out[6:9] == [n, n + 2, -n]
    assert out[9:] == [top - 2048, top, top - 2048]
