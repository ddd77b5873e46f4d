# SPDX-License-Identifier: MIT
"""Reductions, scans, sorting, options and random walks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

FILE = "programs/classics.cu"


def classic_cases() -> Iterator[Case]:
    """All of them but the cooperative one, which needs a launch of its own kind on a GPU."""
    yield Case(
        "classics/reduce",
        program(FILE, "reduce"),
        launch((3,), (256,), 1024),
        lambda: {"g_idata": _ints(5000), "g_odata": np.zeros(3, np.int32), "n": np.uint32(5000)},
        _reduced,
    )
    yield Case(
        "classics/prescan",
        program(FILE, "prescan"),
        launch((1,), (64,), 4 * (128 + 4)),
        lambda: {"g_odata": np.zeros(128, np.int32), "g_idata": _ints(128), "n": np.int32(128)},
        lambda v: {"g_odata": np.cumsum(v["g_idata"]) - np.asarray(v["g_idata"])},
    )
    yield Case(
        "classics/bitonicSortShared",
        program(FILE, "bitonicSortShared"),
        launch((2,), (128,)),
        _pairs,
        _sorted,
        keeps=("d_DstKey", "d_DstVal"),
    )
    yield Case(
        "classics/radixPass",
        program(FILE, "radixPass"),
        launch((1,), (64,)),
        lambda: {
            "out": np.zeros(60, np.uint32),
            "in": _ints(60).astype(np.uint32),
            "n": np.int32(60),
            "shift": np.int32(4),
        },
        _by_digit,
    )
    yield Case(
        "classics/BlackScholesGPU",
        program(FILE, "BlackScholesGPU"),
        launch((1,), (128,)),
        _options,
        _prices,
        tolerance=3e-6,
    )
    yield Case(
        "classics/monteCarloPi",
        program(FILE, "monteCarloPi"),
        launch((2,), (64,)),
        lambda: {"hits": np.zeros(1, np.uint64), "perThread": np.int32(50)},
        _inside,
    )


def _ints(count: int) -> Array:
    return np.random.default_rng(5).integers(0, 1000, count).astype(np.int32)


def _reduced(v: Values) -> Mapping[str, Array]:
    data = np.asarray(v["g_idata"])
    blocks = np.arange(len(data)) // 256 % 3
    return {"g_odata": np.bincount(blocks, data).astype(np.int32)}


def _pairs() -> Values:
    keys = np.random.default_rng(6).permutation(512).astype(np.uint32)
    return {
        "d_DstKey": np.zeros(512, np.uint32),
        "d_DstVal": np.zeros(512, np.uint32),
        "d_SrcKey": keys,
        "d_SrcVal": keys * np.uint32(3),
        "arrayLength": np.uint32(256),
        "dir": np.uint32(1),
    }


def _sorted(v: Values) -> Mapping[str, Array]:
    keys = np.sort(np.asarray(v["d_SrcKey"]).reshape(2, 256), 1).ravel()
    return {"d_DstKey": keys, "d_DstVal": keys * np.uint32(3)}


def _by_digit(v: Values) -> Mapping[str, Array]:
    data = np.asarray(v["in"])
    return {"out": data[np.argsort(data >> 4 & 15, kind="stable")]}


def _options() -> Values:
    rng = np.random.default_rng(8)
    results = {name: np.zeros((100, 2), np.float32) for name in ("d_CallResult", "d_PutResult")}
    ranges = {"d_StockPrice": (5, 30), "d_OptionStrike": (1, 100), "d_OptionYears": (0.25, 10)}
    given = {n: rng.uniform(*r, (100, 2)).astype(np.float32) for n, r in ranges.items()}
    numbers = {"Riskfree": np.float32(0.02), "Volatility": np.float32(0.3)}
    return {**results, **given, **numbers, "optN": np.int32(200)}


def _prices(v: Values) -> Mapping[str, Array]:
    names = ("d_StockPrice", "d_OptionStrike", "d_OptionYears", "Riskfree", "Volatility")
    s, x, t, r, vol = (np.asarray(v[name], np.float64) for name in names)
    d1 = (np.log(s / x) + (r + vol**2 / 2) * t) / (vol * np.sqrt(t))
    d2, left = d1 - vol * np.sqrt(t), x * np.exp(-r * t)
    below = np.vectorize(lambda d: 0.5 * math.erfc(-d / math.sqrt(2)))
    return {
        "d_CallResult": s * below(d1) - left * below(d2),
        "d_PutResult": left * below(-d2) - s * below(-d1),
    }


def _inside(v: Values) -> Mapping[str, Array]:
    state = np.arange(128, dtype=np.uint32) * np.uint32(2654435761) + np.uint32(1)
    total = 0
    for _draw in range(int(np.asarray(v["perThread"]))):
        state, x = _next(state)
        state, y = _next(state)
        total += int((x * x + y * y <= 1).sum())
    return {"hits": np.array([total], np.uint64)}


def _next(state: Array) -> tuple[Array, Array]:
    state = state ^ state << np.uint32(13)
    state = state ^ state >> np.uint32(17)
    state = state ^ state << np.uint32(5)
    return state, state.astype(np.float32) * np.float32(2.3283064365386963e-10)
