# SPDX-License-Identifier: MIT
"""Vector types, structures, functions, templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

PARTICLE = np.dtype(
    {
        "names": ["x", "y", "z", "id", "mass"],
        "formats": ["<f4", "<f4", "<f4", "<i4", "<f8"],
        "offsets": [0, 4, 8, 12, 16],
        "itemsize": 24,
    }
)
PARAMETERS = np.dtype([("count", "<i4"), ("scale", "<f4", 3)])


def type_cases() -> Iterator[Case]:
    """All of them."""
    yield from _vector_cases()
    yield from _function_cases()


# Vectors ------------------------------------------------------------------------------------------


def _vector_cases() -> Iterator[Case]:
    file = "language/vectors.cu"
    yield Case("vectors/axpy", program(file, "axpy"), launch((3,), (16,)), _fours, _axpy)
    yield Case(
        "vectors/threes",
        program(file, "threes"),
        launch((1,), (40,)),
        _threes,
        _threes_answer,
        tolerance=2e-7,
    )
    yield Case("vectors/mixed", program(file, "mixed"), launch((1,), (32,)), _mixed, _mixed_answer)
    yield Case(
        "vectors/reinterpreted",
        program(file, "reinterpreted"),
        launch((2,), (32,)),
        lambda: {
            "x": np.arange(240, dtype=np.float32),
            "o": np.zeros(240, np.float32),
            "n": np.int32(240),
        },
        lambda v: {"o": np.asarray(v["x"]).reshape(60, 2, 2)[:, ::-1]},
    )
    wanted = [1204, 1616, 808, 404, 1616, 404, 1204]
    yield Case(
        "vectors/sizes",
        program(file, "sizes"),
        launch((1,), (1,)),
        lambda: {"o": np.zeros(7, np.int32)},
        lambda _v: {"o": np.array(wanted, np.int32)},
    )


def _fours() -> Values:
    x = np.arange(48 * 4, dtype=np.float32).reshape(48, 4)
    return {"x": x, "y": x[::-1] + 0.5, "a": np.float32(3)}


def _axpy(v: Values) -> Mapping[str, Array]:
    return {"y": 3 * np.asarray(v["x"]) + np.asarray(v["y"])}


def _threes() -> Values:
    chance = np.random.default_rng(5)
    a, b = (chance.random((40, 3), np.float32) for _ in range(2))
    return {"a": a, "b": b, "o": np.zeros(40, np.float32)}


def _threes_answer(v: Values) -> Mapping[str, Array]:
    a, b = np.asarray(v["a"]), np.asarray(v["a"]) + np.asarray(v["b"])
    return {"b": b, "o": (a.astype(np.float64) * b).sum(axis=1)}


def _mixed() -> Values:
    i = np.arange(32)
    return {
        "a": np.stack([i - 9, 3 * i], axis=1).astype(np.int32),
        "b": np.stack([i, 255 - i, i * 7, 200 - i], axis=1).astype(np.uint8),
        "c": np.stack([i + 0.5, i / 8], axis=1),
        "o": np.zeros((32, 4), np.int32),
        "d": np.zeros(32),
        "w": np.zeros((32, 2), np.int64),
    }


def _mixed_answer(v: Values) -> Mapping[str, Array]:
    a, b, c = (np.asarray(v[name]) for name in "abc")
    q = b.astype(np.int32)
    o = [a.sum(axis=1), q[:, 0] + q[:, 1], q[:, 2] - q[:, 3], a[:, 0] * q[:, 3]]
    w = np.stack([a[:, 0].astype(np.int64) << 32, a[:, 1]], axis=1)
    return {"o": np.stack(o, axis=1).astype(np.int32), "d": c[:, 0] * c[:, 1], "w": w}


# Functions ----------------------------------------------------------------------------------------


def _function_cases() -> Iterator[Case]:
    file = "language/functions.cu"
    yield Case(
        "functions/complex_numbers",
        program(file, "complex_numbers"),
        launch((1,), (32,)),
        _complex,
        _complex_answer,
        tolerance=5e-7,
    )
    yield Case(
        "functions/particles",
        program(file, "particles"),
        launch((2,), (32,)),
        lambda: {"p": _particles(), "n": np.int32(50)},
        lambda _v: {"p": _moved(_particles())},
    )
    yield Case(
        "functions/by_value",
        program(file, "by_value"),
        launch((1,), (32,)),
        lambda: {
            "given": np.array((30, (1.5, 2.5, 3.5)), PARAMETERS)[()],
            "o": np.full(32, -1, np.float32),
        },
        lambda _v: {"o": np.array([i * (i % 3 + 1.5) if i < 30 else -1 for i in range(32)])},
    )
    yield Case(
        "functions/recursion", program(file, "recursion"), launch((1,), (12,)), _deep, _deep_answer
    )
    yield Case(
        "functions/templated",
        program(file, "templated"),
        launch((1,), (20,)),
        lambda: {"x": np.arange(20, dtype=np.int32), "by": np.int32(9)},
        lambda _v: {"x": np.array([6 * max(i, 9) for i in range(20)], np.int32)},
    )
    yield Case(
        "functions/others",
        program(file, "others"),
        launch((1,), (12,)),
        lambda: {"o": np.zeros((12, 4), np.int32), "a": np.arange(12, dtype=np.int32) * 3},
        lambda _v: {
            "o": np.array(
                [[1 + 198 * i, (4, 16, 64)[i % 3], 127, 6 if i != 6 else 7] for i in range(12)],
                np.int32,
            )
        },
    )


def _complex() -> Values:
    z = np.random.default_rng(6).random((32, 2), np.float32)
    return {"z": z, "norms": np.zeros(32, np.float32)}


def _complex_answer(v: Values) -> Mapping[str, Array]:
    z = np.asarray(v["z"], np.float64) @ np.array([1, 1j])
    b = z * z + (1 - 1j)
    return {"z": np.stack([b.real, b.imag], axis=1), "norms": np.abs(b) ** 2}


def _particles() -> Array:
    p = np.zeros(50, PARTICLE)
    i = np.arange(50)
    p["x"], p["y"], p["z"], p["id"], p["mass"] = i, 100 + i, -i, i, 3.0 * i
    return p


def _moved(p: Array) -> Array:
    p["x"] += p["y"]
    p["id"] += 100
    p["mass"] *= 0.5
    return p


def _deep() -> Values:
    numbers = np.random.default_rng(7).permutation(96).astype(np.int32).reshape(12, 8)
    return {"fib": np.zeros(12, np.int32), "ack": np.zeros(12, np.int32), "sorted": numbers}


def _deep_answer(v: Values) -> Mapping[str, Array]:
    fib = [0, 1]
    while len(fib) < 12:
        fib.append(fib[-1] + fib[-2])
    ack = 2 * np.arange(12, dtype=np.int32) + 3
    return {
        "fib": np.array(fib, np.int32),
        "ack": ack,
        "sorted": np.sort(np.asarray(v["sorted"]), axis=1),
    }
