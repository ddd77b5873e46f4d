# SPDX-License-Identifier: MIT
"""bfloat16 and half, as mixed-precision training uses them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from tests.corpus.case import Answer, Case, launch, program

from threadloom.model.array import Array, Values


def short_float_cases() -> Iterator[Case]:
    """All of them."""
    yield _case("bfloat16_table", 2, 32, _numbers(), _table)
    yield _case("adam_bf16", 1, 32, _parameters(), _stepped)
    yield _case("dot_half2", 1, 32, _halves(), _dot)
    yield _case("counted", 2, 32, _sums(), _counted)


def _case(entry: str, blocks: int, threads: int, values: Values, answer: Answer) -> Case:
    source = program("programs/short_floats.cu", entry)
    where = launch((blocks,), (threads,))
    return Case(f"short_floats/{entry}", source, where, lambda: values, answer)


def bfloat16(values: Array) -> Array:
    """The nearest numbers of eight binary digits, ties to even; for neither tiny nor huge ones."""
    digits, exponent = np.frexp(np.asarray(values, np.float64))
    return np.asarray(np.ldexp(np.rint(digits * 256), exponent - 8))


def bits(values: Array) -> Array:
    """The upper half of a float's bits."""
    whole = np.asarray(values, np.float32).view(np.uint32) >> 16
    return whole.astype(np.uint16)


def _floats(array: Array) -> Array:
    return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def _numbers() -> Values:
    rng = np.random.default_rng(1)
    a, b = (bits(bfloat16(rng.standard_normal(60) * 2.0 ** rng.integers(-6, 7, 60))) for _ in "ab")
    a[:4], b[:4] = bits(np.array([1, -2, 0.5, 3])), bits(np.array([1, 3, 0.25, 3]))
    return {"out": np.zeros((60, 16), np.uint16), "a": a, "b": b, "n": np.int32(60)}


def _table(v: Values) -> Mapping[str, Array]:
    x, y = _floats(np.asarray(v["a"])), _floats(np.asarray(v["b"]))
    cut: Array = (x.astype(np.float32) * np.float32(1.01)).view(np.uint32) >> 16 << 16
    rows: list[Array] = [
        x + y,
        x - y,
        x * y,
        x / y,
        x * y + x,
        np.fmax(x, y),
        np.fmin(x, y),
        -x,
        np.abs(x),
    ]
    rows += [np.sqrt(np.abs(y)), np.floor(x), x + x, x + y, np.rint(y)]
    rows.append(cut.view(np.float32))
    flags = (x < y) | (x == y) << 1 | (x >= y) << 2
    return {"out": np.stack([*(bits(bfloat16(row)) for row in rows), flags.astype(np.uint16)], 1)}


def _parameters() -> Values:
    rng = np.random.default_rng(2)
    params, grads = (bits(bfloat16(rng.standard_normal(50))) for _ in "ab")
    momentum = rng.standard_normal(50).astype(np.float32)
    numbers = {"n": np.int32(50), "rate": np.float32(0.25)}
    return {"params": params, "grads": grads, "momentum": momentum * np.float32(0), **numbers}


def _stepped(v: Values) -> Mapping[str, Array]:
    momentum = np.float32(0.1) * _floats(np.asarray(v["grads"])).astype(np.float32)
    step = bfloat16(np.float32(0.25) * momentum)
    params = bfloat16(_floats(np.asarray(v["params"])) - step)
    return {"params": bits(params), "momentum": momentum}


def _halves() -> Values:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-4, 5, (90, 2)).astype(np.float16) for _ in "ab")
    return {"out": np.zeros(2, np.float32), "a": a, "b": b, "n": np.int32(90)}


def _dot(v: Values) -> Mapping[str, Array]:
    products = (np.asarray(v["a"]) * np.asarray(v["b"])).astype(np.float32)
    return {"out": np.array([products.sum(), products[::32].sum()], np.float32)}


def _sums() -> Values:
    return {
        "sums": np.zeros(2, np.uint16),
        "halves": np.zeros(1, np.float16),
        "fours": np.zeros((1, 4), np.float32),
    }


def _counted(_v: Values) -> Mapping[str, Array]:
    return {
        "sums": bits(np.array([32.0, 32.0])),
        "halves": np.array([32], np.float16),
        "fours": np.array([[64, 128, 192, 2 * 496]], np.float32),
    }
