# SPDX-License-Identifier: MIT
"""Transforms, solvers and particles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from tests.corpus.case import Answer, Case, launch, program

from threadloom.model.array import Array, Values

FILE = "programs/signals.cu"
GRAVITY = (0.0, -9.81, 0.5)


def signal_cases() -> Iterator[Case]:
    """All of them."""
    yield _case("fft", (3,), (64,), _complex(), _transformed, 2e-6)
    yield _case("dct8x8", (3, 2), (8, 8), _picture(), _cosines, 2e-6)
    yield _case("haar", (1,), (64,), _line(), _wavelets, 1e-6, shared=256)
    yield _case("pcr", (1,), (50,), _system(), _solved, 1e-12, shared=4 * 8 * 50)
    yield _case("step_particles", (2,), (32,), _particles(), _moved, 1e-6)
    yield _case("cholesky4", (1,), (32,), _matrices(), _roots, 1e-12)


def _case(
    entry: str,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    values: Values,
    answer: Answer,
    tolerance: float,
    shared: int = 0,
) -> Case:
    source = program(FILE, entry)
    where = launch(grid, block, shared)
    return Case(f"signals/{entry}", source, where, lambda: values, answer, tolerance)


def _normal(*shape: int) -> Array:
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


def _complex() -> Values:
    return {"data": _normal(3, 256, 2)}


def _transformed(v: Values) -> Mapping[str, Array]:
    data = np.asarray(v["data"], np.float64)
    done = np.fft.fft(data[..., 0] + 1j * data[..., 1])
    return {"data": np.stack([done.real, done.imag], -1)}


def _picture() -> Values:
    return {"out": np.zeros((16, 24), np.float32), "in": _normal(16, 24), "stride": np.int32(24)}


def _cosines(v: Values) -> Mapping[str, Array]:
    k = np.arange(8)
    basis = np.cos((2 * k + 1) * k[:, None] * np.pi / 16) * np.where(k, 0.5, 8**-0.5)[:, None]
    tiles = np.asarray(v["in"], np.float64).reshape(2, 8, 3, 8)
    return {"out": np.einsum("vy,iyjx,ux->ivju", basis, tiles, basis).reshape(16, 24)}


def _line() -> Values:
    return {"data": _normal(64), "n": np.int32(64)}


def _wavelets(v: Values) -> Mapping[str, Array]:
    data = np.array(v["data"], np.float64)
    length = 64
    while length > 1:
        pairs = data[:length].reshape(-1, 2) / np.sqrt(2)
        data[:length] = np.concatenate([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]])
        length //= 2
    return {"data": data}


def _system() -> Values:
    rng = np.random.default_rng(7)
    lines = {name: rng.random(50) + (3 if name == "b" else 0) for name in "abcd"}
    return {**lines, "x": np.zeros(50), "n": np.int32(50)}


def _solved(v: Values) -> Mapping[str, Array]:
    a, b, c, d = (np.asarray(v[name]) for name in "abcd")
    return {"x": np.linalg.solve(np.diag(a[1:], -1) + np.diag(b) + np.diag(c[:-1], 1), d)}


def _particles() -> Values:
    raw = np.abs(_normal(40, 8)) * np.float32(0.2)
    raw[:, 4] -= 3
    raw[:, 7] = (np.arange(40) % 5 != 0).astype(np.int32).view(np.float32)
    pull = {f"g{axis}": np.float32(g) for axis, g in zip("xyz", GRAVITY, strict=True)}
    return {"raw": raw, "n": np.int32(40), **pull, "dt": np.float32(0.05)}


def _moved(v: Values) -> Mapping[str, Array]:
    raw = np.array(v["raw"])
    lives = raw[:, 7].view(np.int32) != 0
    velocity = raw[:, 3:6].astype(np.float64) + np.array(GRAVITY) * 0.05
    place = raw[:, :3] + velocity * 0.05
    below = place[:, 1] < 0
    place[below, 1] *= -1
    velocity[below, 1] *= -0.5
    raw[lives, :3], raw[lives, 3:6] = place[lives], velocity[lives]
    return {"raw": raw}


def _matrices() -> Values:
    rows = np.random.default_rng(7).integers(-3, 4, (20, 4, 4))
    squares = rows @ rows.transpose(0, 2, 1) + 5 * np.eye(4, dtype=int)
    return {
        "in": squares.astype(np.float32),
        "out": np.zeros((20, 4, 4)),
        "n": np.int32(20),
    }


def _roots(v: Values) -> Mapping[str, Array]:
    return {"out": np.linalg.cholesky(np.asarray(v["in"], np.float64))}
