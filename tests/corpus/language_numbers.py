# SPDX-License-Identifier: MIT
"""Integers, floating-point numbers of three sizes, and the mathematical library."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

WORDS = np.array([0, 1, 0x80000000, 0x00F01234, 0xFFFFFFFF, 0x12345678, 7, 0xCAFEBABE], np.uint32)
LONGS = WORDS.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def number_cases() -> Iterator[Case]:
    """All of them."""
    yield from _integer_cases()
    yield from _mathematics_cases()
    yield from _half_cases()


# Integers ---------------------------------------------------------------------------------------


def _integer_cases() -> Iterator[Case]:
    file = "language/integers.cu"
    yield Case(
        "integers/widths",
        program(file, "widths"),
        launch((1,), (1,)),
        lambda: {"sizes": np.zeros(10, np.int32)},
        lambda _v: {"sizes": np.array([1, 2, 4, 8, 1, 1, 4, 8, 8, 8], np.int32)},
    )
    yield Case(
        "integers/narrow", program(file, "narrow"), launch((1,), (256,)), _narrow, _narrow_answer
    )
    yield Case("integers/wide", program(file, "wide"), launch((2,), (50,)), _wide, _wide_answer)
    yield Case("integers/bits", program(file, "bits"), launch((1,), (8,)), _bits, _bits_answer)
    yield Case(
        "integers/least_and_most",
        program(file, "least_and_most"),
        launch((1,), (64,)),
        lambda: {"a": np.arange(-32, 32, dtype=np.int32), "o": np.zeros(256, np.int32)},
        lambda v: {"o": _least_and_most(np.asarray(v["a"]))},
    )


def _narrow() -> Values:
    a = np.arange(-128, 128).astype(np.int8)
    return {
        "a": a,
        "b": (np.arange(256) * 257 - 32768).astype(np.int16),
        "c": np.zeros(256, np.int8),
        "d": np.zeros(256, np.int16),
        "e": np.zeros(256, np.uint8),
        "f": np.zeros(256, np.uint16),
    }


def _narrow_answer(v: Values) -> Mapping[str, Array]:
    a, b = np.asarray(v["a"]).astype(np.int64), np.asarray(v["b"]).astype(np.int64)
    return {
        "c": (a * 3).astype(np.int8),
        "d": (b * 5 - 7).astype(np.int16),
        "e": ((a & 255) >> 1).astype(np.uint8),
        "f": (b << 3).astype(np.uint16),
    }


def _wide() -> Values:
    chance = np.random.default_rng(2)
    return {
        "a": chance.integers(-(2**62), 2**62, 100, np.int64),
        "b": chance.integers(0, 2**64 - 1, 100, np.uint64),
        "c": np.zeros(100, np.int64),
        "d": np.zeros(100, np.uint64),
        "e": np.zeros(100, np.uint32),
    }


def _wide_answer(v: Values) -> Mapping[str, Array]:
    a, b = [int(x) for x in np.asarray(v["a"])], [int(x) for x in np.asarray(v["b"])]
    quotients = [abs(x) // 7 * (1 if x >= 0 else -1) for x in a]
    c = [q + (x - 7 * q) * 1000003 for x, q in zip(a, quotients, strict=True)]
    d = [(x * 6364136223846793005 + 1442695040888963407) % 2**64 for x in b]
    e = [(y >> 33) ^ (x >> 40) & 0xFFFFFFFF for x, y in zip(a, b, strict=True)]
    return {
        "c": np.array(c, np.int64),
        "d": np.array(d, np.uint64),
        "e": np.array([x & 0xFFFFFFFF for x in e], np.uint32),
    }


def _bits() -> Values:
    return {
        "a": WORDS,
        "b": LONGS,
        "o": np.zeros(64, np.int32),
        "u": np.zeros(32, np.uint32),
        "w": np.zeros(16, np.uint64),
    }


def _bits_answer(_v: Values) -> Mapping[str, Array]:
    o, u, w = [], [], []
    for i, (a, b) in enumerate(zip(map(int, WORDS), map(int, LONGS), strict=True)):
        o += [a.bit_count(), 32 - a.bit_length(), _first_set(a)]
        o += [b.bit_count(), 64 - b.bit_length(), _first_set(b)]
        o += [_signed(a) * _signed(a >> 3) >> 32, _wrapped((_signed(a << 8) >> 8) * 5)]
        u += [_reversed(a, 32), a * a >> 32]
        u += [(b & 0xFFFF) << 16 | a & 0xFFFF, ((b & 0xFFFFFFFF) << 32 | a) >> i & 0xFFFFFFFF]
        w += [_reversed(b, 64), b * b >> 64]
    return {"o": np.array(o, np.int32), "u": np.array(u, np.uint32), "w": np.array(w, np.uint64)}


def _first_set(value: int) -> int:
    return (value & -value).bit_length()


def _reversed(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (value >> 31 << 32)


def _wrapped(value: int) -> int:
    return _signed(value)


def _least_and_most(a: Array) -> Array:
    parts = [np.minimum(a, 10), np.maximum(a, -10), np.abs(a), np.abs(a - 3) + 2]
    return np.stack(parts, axis=1).astype(np.int32)


# Mathematics --------------------------------------------------------------------------------------


def _mathematics_cases() -> Iterator[Case]:
    file = "language/mathematics.cu"

    def numbers(dtype: type, each: int) -> Callable[[], Values]:
        x: Array = np.linspace(0.05, 2.45, 32).astype(dtype)
        return lambda: {"x": x, "o": np.zeros((32, each), dtype)}

    one_block = launch((1,), (32,))
    single, doubled = numbers(np.float32, 24), numbers(np.float64, 12)
    fast = numbers(np.float32, 12)
    yield Case(
        "mathematics/single",
        program(file, "single"),
        one_block,
        single,
        lambda v: {"o": _single(np.asarray(v["x"], np.float64))},
        tolerance=4e-7,
    )
    yield Case(
        "mathematics/doubled",
        program(file, "doubled"),
        one_block,
        doubled,
        lambda v: {"o": _doubled(np.asarray(v["x"]))},
        tolerance=1e-15,
    )
    yield Case(
        "mathematics/fast",
        program(file, "fast"),
        one_block,
        fast,
        lambda v: {"o": _fast(np.asarray(v["x"], np.float64))},
        tolerance=1e-6,
    )
    yield Case("mathematics/rounding", program(file, "rounding"), one_block, _odd, _odd_answer)


def _single(x: Array) -> Array:
    parts = [np.sqrt(x), np.cbrt(x), np.exp(x), np.exp2(x), np.expm1(x), np.log(x), np.log2(x)]
    parts += [np.log10(x), np.log1p(x), np.sin(x), np.cos(x), np.tan(x), np.arctan(x)]
    parts += [np.arctan2(x, 2), np.sinh(x), np.tanh(x), x**1.5, np.hypot(x, 3)]
    parts += [np.fmod(x, float(np.float32(0.7))), np.floor(x), np.ceil(x), np.rint(x), -x]
    return np.stack([*parts, x * x - 1], axis=1)


def _doubled(x: Array) -> Array:
    parts = [np.sqrt(x), np.exp(x), np.log(x), np.sin(x), np.cos(x), x**2.5, np.tanh(x)]
    parts += [np.arctan2(x, 3), x, np.minimum(x, 1) + np.maximum(x, 1), np.trunc(x)]
    return np.stack([*parts, x * x + 1], axis=1)


def _fast(x: Array) -> Array:
    parts = [np.exp(x), np.log(x), np.log2(x), np.sin(x), np.cos(x), x**1.5, 1 / x, x**-0.5]
    return np.stack([*parts, np.clip(x - 1, 0, 1), np.sin(x) + np.cos(x), 1 / x, x**0.5], axis=1)


def _odd() -> Values:
    special = [0.5, 1.5, 2.5, -0.5, -1.5, 0.0, -0.0, 3.999, -3.999, 1e-40, 123456.7, -7.25]
    x = np.array([*special, *np.linspace(-9, 9, 20)], np.float32)
    return {"x": x, "o": np.zeros((32, 6), np.int32), "f": np.zeros((32, 2), np.float32)}


def _odd_answer(v: Values) -> Mapping[str, Array]:
    x = np.asarray(v["x"])
    kind = 4 + 8 * np.signbit(x).astype(np.int32)
    rounded = [np.rint(x), np.trunc(x), np.ceil(x), np.floor(x)]
    o = [part.astype(np.int32) for part in rounded]
    f = [-x, (x + np.float32(0.1)) - x * np.float32(0.5)]
    return {"o": np.stack([*o, x.view(np.int32), kind], axis=1), "f": np.stack(f, axis=1)}


# Half precision -----------------------------------------------------------------------------------


def _half_cases() -> Iterator[Case]:
    file = "language/half.cu"
    yield Case("half/single", program(file, "single"), launch((1,), (32,)), _halves, _half_answer)
    yield Case("half/paired", program(file, "paired"), launch((1,), (16,)), _pairs, _pair_answer)
    yield Case(
        "half/dot",
        program(file, "dot"),
        launch((1,), (64,)),
        lambda: {**_inputs(1000), "o": np.zeros(1, np.float32), "n": np.int32(1000)},
        lambda v: {"o": np.array([np.dot(*(np.asarray(v[n], np.float64) for n in "ab"))])},
        tolerance=1e-5,
    )


def _inputs(count: int) -> dict[str, Array]:
    chance = np.random.default_rng(3)
    a = chance.uniform(-9, 9, count).astype(np.float16)
    return {"a": a, "b": chance.uniform(0.1, 9, count).astype(np.float16)}


def _halves() -> Values:
    flags = np.zeros(32, np.int32)
    return {**_inputs(32), "o": np.zeros((32, 12), np.float16), "flags": flags}


def _half_answer(v: Values) -> Mapping[str, Array]:
    a, b = np.asarray(v["a"]), np.asarray(v["b"])
    parts = [a + b, a - b, a * b, a / b, -a, a + np.abs(a - b), _fused(a, b, a), np.sqrt(b)]
    parts += [(a.astype(np.float32) * np.float32(0.3)).astype(np.float16)]
    parts += [np.maximum(a, b), (a + b) * a, np.abs(-b)]
    flags = (a < b) + 2 * (a >= b) + 4 + 8 * (a > b)
    return {"o": np.stack(parts, axis=1), "flags": flags.astype(np.int32)}


def _fused(a: Array, b: Array, c: Array) -> Array:
    exact = [math.fsum((float(x) * float(y), float(z))) for x, y, z in zip(a, b, c, strict=True)]
    return np.array(exact).astype(np.float16)


def _pairs() -> Values:
    both = {name: array.reshape(16, 2) for name, array in _inputs(32).items()}
    return {**both, "o": np.zeros((16, 6, 2), np.float16), "f": np.zeros(16, np.float32)}


def _pair_answer(v: Values) -> Mapping[str, Array]:
    a, b = np.asarray(v["a"]), np.asarray(v["b"])
    fused = _fused(a.ravel(), b.ravel(), np.full(32, 0.5)).reshape(16, 2)
    crossed = np.stack([a[:, 1], b[:, 0]], axis=1)
    last = np.stack([np.full(16, 1.5, np.float16), a[:, 0]], axis=1)
    o = np.stack([a + b, a * b, fused, crossed, a - b, last], axis=1)
    return {"o": o, "f": a[:, 0].astype(np.float32) + a[:, 1].astype(np.float32)}
