# SPDX-License-Identifier: MIT
"""C++17 in device code, and kernels that macros write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from tests.corpus.case import Answer, Case, launch, program

from threadloom.model.array import Array, Values


def modern_cases() -> Iterator[Case]:
    """All of them; most templates get their arguments from the host's part."""
    yield _case("elementwise_mul", 4, 32, _two(np.float32), _product)
    yield _case("elementwise_sub", 4, 32, _two(np.int32), _difference)
    yield _case("reversed", 2, 64, _both_ways(np.int32, 128), _turned)
    yield _case("pipeline_of_functions", 2, 32, _counted(), _leaky)
    yield _case("language", 1, 8, {"out": np.zeros((8, 8), np.int32)}, _told)
    yield _case("gathered", 2, 32, _both_ways(np.int32, 64), _sums, shared=128)


def _case(
    entry: str, blocks: int, threads: int, values: Values, answer: Answer, shared: int = 0
) -> Case:
    source = replace(program("programs/modern.cu", entry), options=("--extended-lambda",))
    where = launch((blocks,), (threads,), shared)
    return Case(f"modern/{entry}", source, where, lambda: values, answer)


def _two(dtype: type) -> Values:
    a: Array = np.arange(100).astype(dtype)
    return {"out": np.zeros(100, dtype), "a": a, "b": a[::-1] * dtype(2), "n": np.int32(100)}


def _product(v: Values) -> Mapping[str, Array]:
    return {"out": np.asarray(v["a"]) * np.asarray(v["b"])}


def _difference(v: Values) -> Mapping[str, Array]:
    return {"out": np.asarray(v["a"]) - np.asarray(v["b"])}


def _both_ways(dtype: type, count: int) -> Values:
    data: Array = np.random.default_rng(1).integers(0, 1000, count).astype(dtype)
    return {"out": np.zeros(count, dtype), "in": data}


def _turned(v: Values) -> Mapping[str, Array]:
    return {"out": np.asarray(v["in"]).reshape(2, 64)[:, ::-1].ravel()}


def _counted() -> Values:
    data = np.arange(-50, 50, dtype=np.float32)
    return {"out": np.zeros(100, np.float32), "in": data, "n": np.int32(100)}


def _leaky(v: Values) -> Mapping[str, Array]:
    x = np.asarray(v["in"]) - 7  # 2 (x / 2 - 4) + 1
    return {"out": np.where(x > 0, x, x * np.float32(0.125)) + 5}


def _told(_v: Values) -> Mapping[str, Array]:
    last = [-1, 10, 20, 9, -1, 10, 20, 9]
    rows = [
        [
            127,
            500 + 170 - 3,
            7 + 9,
            15,
            7 if t % 2 else 3,
            32767 + 1 + 5 + 1000,
            12 + 16 + 4,
            last[t],
        ]
        for t in range(8)
    ]
    return {"out": np.array(rows, np.int32)}


def _sums(v: Values) -> Mapping[str, Array]:
    tiles = np.asarray(v["in"]).reshape(2, 4, 8)[:, ::-1].sum(2)
    return {"out": np.repeat(tiles * 4 + 3, 8, axis=1).ravel().astype(np.int32)}
