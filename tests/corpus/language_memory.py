# SPDX-License-Identifier: MIT
"""Atomics, kinds of memory, clocks, printing and whole programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values


def memory_cases() -> Iterator[Case]:
    """All of them."""
    yield from _atomic_cases()
    yield from _memory_cases()
    yield from _other_cases()


def _floats(count: int) -> Array:
    return np.random.default_rng(9).random(count, np.float32)


# Atomics ------------------------------------------------------------------------------------------


def _atomic_cases() -> Iterator[Case]:
    file = "language/atomics.cu"
    for entry, blocks, threads in (("in_global", 4, 96), ("in_shared", 1, 384)):
        shared = entry == "in_shared"
        yield Case(
            f"atomics/{entry}",
            program(file, entry),
            launch((blocks,), (threads,)),
            partial(_start, shared),
            partial(_end, shared),
        )
    yield Case(
        "atomics/by_compare_and_swap",
        program(file, "by_compare_and_swap"),
        launch((4,), (64,)),
        lambda: {"x": _floats(250), "most": np.zeros(1, np.float32), "n": np.int32(250)},
        lambda v: {"most": np.asarray(v["x"]).max(keepdims=True)},
    )
    yield Case(
        "atomics/last_block",
        program(file, "last_block"),
        launch((5,), (64,)),
        lambda: {
            "x": _floats(1000),
            "parts": np.zeros(5, np.float32),
            "sum": np.zeros(1, np.float32),
            "n": np.int32(1000),
        },
        lambda v: {"sum": np.asarray(v["x"], np.float64).sum(keepdims=True)},
        tolerance=1e-6,
        keeps=("sum",),
    )


def _start(shared: bool) -> Values:
    i = np.zeros(8 if shared else 10, np.int32)
    i[2], i[3], i[4] = 1000, -5, 0x7FFFFFFF
    u = np.array([0, 0, 5, 0], np.uint32)
    f = np.zeros(1 if shared else 2, np.float32)
    return {"i": i, "u": u, "w": np.zeros(2, np.uint64), "f": f, "d": np.zeros(1)}


def _end(shared: bool, _v: Values) -> Mapping[str, Array]:
    t = np.arange(384)
    total = int(t.sum())
    i = [total, -total, 500 - 383, 383, 0x7FFFFF00, 0xFFFFF, int(np.bitwise_xor.reduce(t)), 7]
    u = [3 * 384, 384 % 100, _decremented(5, 384), 383 + 0x80000000]
    f = [192.0] if shared else [192.0, 1.5]
    return {
        "i": np.array(i if shared else [*i, 1, 42], np.int32),
        "u": np.array(u, np.uint32),
        "w": np.array([total << 30, 383 << 33], np.uint64),
        "f": np.array(f, np.float32),
        "d": np.array([96.0]),
    }


def _decremented(value: int, times: int) -> int:
    for _time in range(times):
        value = 99 if value == 0 or value > 99 else value - 1
    return value


# Memory -------------------------------------------------------------------------------------------


def _memory_cases() -> Iterator[Case]:
    file = "language/memory.cu"
    yield Case(
        "memory/constants",
        program(file, "constants"),
        launch((2,), (64,)),
        lambda: {"x": _floats(100), "o": np.zeros(100, np.float32), "n": np.int32(100)},
        _filtered,
        tolerance=3e-7,
    )
    yield Case(
        "memory/counted",
        program(file, "counted"),
        launch((1,), (100,)),
        lambda: {"o": np.zeros(1, np.int32)},
        lambda _v: {"o": np.array([200], np.int32)},
    )
    yield Case(
        "memory/three_axes",
        program(file, "three_axes"),
        launch((2, 3, 2), (4, 2, 3)),
        lambda: {"o": np.zeros((6, 6, 8), np.int32)},
        lambda _v: {"o": np.einsum("i...,i->...", np.indices((6, 6, 8)), [10000, 100, 1])},
    )
    yield Case(
        "memory/dynamic",
        program(file, "dynamic"),
        launch((1,), (32,), 256),
        lambda: {"x": _floats(32), "o": np.zeros(32, np.float32), "counts": np.zeros(32, np.int32)},
        _dynamic,
    )
    yield Case(
        "memory/strided",
        program(file, "strided"),
        launch((3,), (64,)),
        lambda: {"x": _floats(1000), "y": np.zeros(1000, np.float32), "n": np.uint64(1000)},
        lambda v: {"y": np.asarray(v["x"]) * 2 + 1},
        tolerance=1e-7,
    )


def _filtered(v: Values) -> Mapping[str, Array]:
    padded = np.pad(np.asarray(v["x"], np.float64), 2, mode="edge")
    weights = (0.0625, 0.25, 0.375, 0.25, 0.0625)
    sums = sum(w * padded[d : d + 100] for d, w in enumerate(weights))
    i = np.arange(100)
    return {"o": sums * 10.0 ** (i % 4) + 5 + i % 3}


def _dynamic(v: Values) -> Mapping[str, Array]:
    i = np.arange(32)
    counts = (i + 1) % 32 * ((i + 1) % 32) - (8 * (3 - i // 8) + 7 - i % 8)
    return {"o": 2 * np.asarray(v["x"])[::-1], "counts": counts.astype(np.int32)}


# Others -------------------------------------------------------------------------------------------


def _other_cases() -> Iterator[Case]:
    words = "language/words.cu"
    yield Case(
        "words/clocks",
        program(words, "clocks"),
        launch((1,), (32,)),
        lambda: {"o": np.zeros(32, np.int32)},
        lambda _v: {"o": np.full(32, 3, np.int32)},
    )
    yield Case(
        "words/printing",
        program(words, "printing"),
        launch((2,), (4,)),
        lambda: {"n": np.int32(6)},
        lambda _v: {},
    )
    yield Case(
        "words/asserting",
        program(words, "asserting"),
        launch((1,), (32,)),
        lambda: {"o": np.zeros(32, np.int32), "n": np.int32(4)},
        lambda _v: {"o": np.full(32, 4, np.int32)},
    )
    yield Case(
        "program/blend",
        program("language/program.cu", "blend"),
        launch((4,), (128,)),
        lambda: {
            "a": _floats(500),
            "b": _floats(500)[::-1].copy(),
            "c": np.zeros(500, np.float32),
            "t": np.float32(0.25),
            "n": np.int32(500),
        },
        lambda v: {"c": 0.75 * np.asarray(v["a"], np.float64) + 0.25 * np.asarray(v["b"])},
        tolerance=2e-7,
    )
