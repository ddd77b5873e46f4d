# SPDX-License-Identifier: MIT
"""Filters, stencils, fractals and a ray tracer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

W, H = 40, 28


def image_cases() -> Iterator[Case]:
    """All of them."""
    yield _case("grayscale", (3, 4), (16, 8), _colors, _gray)
    yield _case("convolution_tiled", (3, 2), (20, 20), _field, _blurred, 1e-6)
    yield _case("sobel", (3, 4), (16, 8), _bytes_to(np.int32), _edges)
    yield _case("median3", (3, 4), (16, 8), _bytes_to(np.uint8), _medians)
    yield _case("julia", (32, 32), (1,), _julia, _julia_answer)
    yield _case("newton", (2, 2), (16, 16), _newton, _newton_answer)
    yield _case("heat", (3, 4), (16, 8), _heat, _heated, 1e-6)
    yield _case("render", (2, 2), (16, 16), _scene, _depths, 1e-5)


def _case(
    entry: str,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    values: Callable[[], Values],
    answer: Callable[[Values], Mapping[str, Array]],
    tolerance: float = 0,
) -> Case:
    source = program("programs/images.cu", entry)
    return Case(f"images/{entry}", source, launch(grid, block), values, answer, tolerance)


def _random(*shape: int) -> Array:
    return np.random.default_rng(4).integers(0, 256, shape).astype(np.uint8)


def _size(width: str = "width", height: str = "height") -> Values:
    return {width: np.int32(W), height: np.int32(H)}


def _colors() -> Values:
    return {"in": _random(H, W, 4), "out": np.zeros((H, W), np.uint8), **_size()}


def _gray(v: Values) -> Mapping[str, Array]:
    r, g, b = (np.asarray(v["in"])[..., i].astype(np.int32) for i in range(3))
    return {"out": ((299 * r + 587 * g + 114 * b) // 1000).astype(np.uint8)}


def _field() -> Values:
    field = np.random.default_rng(4).random((H, W), np.float32)
    return {"N": field, "P": np.zeros((H, W), np.float32), **_size()}


def _blurred(v: Values) -> Mapping[str, Array]:
    row = np.array([1, 4, 6, 4, 1]) / 16
    padded = np.pad(np.asarray(v["N"], np.float64), 2)
    lines = sum(row[i] * padded[i : i + H] for i in range(5))
    return {"P": sum(row[i] * np.asarray(lines)[:, i : i + W] for i in range(5))}


def _bytes_to(dtype: type) -> Callable[[], Values]:
    return lambda: {"in": _random(H, W), "out": np.zeros((H, W), dtype), **_size("w", "h")}


def _edges(v: Values) -> Mapping[str, Array]:
    p = np.asarray(v["in"]).astype(np.int32)
    side = p[:-2] + 2 * p[1:-1] + p[2:]
    across = p[:, :-2] + 2 * p[:, 1:-1] + p[:, 2:]
    total = np.abs(side[:, 2:] - side[:, :-2]) + np.abs(across[2:] - across[:-2])
    return {"out": np.pad(np.minimum(total, 255), 1).astype(np.int32)}


def _medians(v: Values) -> Mapping[str, Array]:
    padded = np.pad(np.asarray(v["in"]), 1, mode="edge")
    around = [padded[j : j + H, i : i + W] for j in range(3) for i in range(3)]
    return {"out": np.median(around, axis=0).astype(np.uint8)}


def _julia() -> Values:
    return {"ptr": np.zeros((32, 32), np.uint8), "dim": np.int32(32)}


def _julia_answer(_v: Values) -> Mapping[str, Array]:
    one = np.float32(1.5) * (16 - np.arange(32)).astype(np.float32) / np.float32(16)
    r, i = np.meshgrid(one, one)
    steps = np.zeros((32, 32), np.uint8)
    going = np.ones((32, 32), bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for _step in range(50):
            r, i = r * r - i * i + np.float32(-0.75), i * r + r * i + np.float32(0.125)
            going &= ~(r * r + i * i > 1000)
            steps += going
    return {"ptr": steps}


def _newton() -> Values:
    return {"root": np.zeros((32, 32), np.int32), "dim": np.int32(32)}


def _newton_answer(_v: Values) -> Mapping[str, Array]:
    place = (np.arange(32) + 0.5) * 4 / 32 - 2
    z = place + 1j * place[:, None]
    for _step in range(60):
        z = z - (z**3 - 1) / (3 * z * z)
    return {"root": np.where(z.real > 0.5, 0, np.where(z.imag > 0, 1, 2)).astype(np.int32)}


def _heat() -> Values:
    field = np.random.default_rng(4).random((H, W), np.float32)
    sizes = _size("w", "h")
    return {"out": np.zeros_like(field), "in": field, **sizes, "speed": np.float32(0.25)}


def _heated(v: Values) -> Mapping[str, Array]:
    t = np.pad(np.asarray(v["in"], np.float64), 1, mode="edge")
    around = t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:]
    return {"out": t[1:-1, 1:-1] + 0.25 * (around - 4 * t[1:-1, 1:-1])}


def _scene() -> Values:
    return {"depth": np.zeros((32, 32), np.float32), "nx": np.int32(32), "ny": np.int32(32)}


def _depths(_v: Values) -> Mapping[str, Array]:
    x, y = np.meshgrid((np.arange(32) + 0.5) / 32 * 4 - 2, (np.arange(32) + 0.5) / 32 * 2 - 1)
    to = np.stack([x, y, np.full_like(x, -1)], -1)
    found = [_ball(to, (0, 0, -2), 1), _ball(to, (1.25, -0.5, -1.5), 0.5)]
    found.append(np.where(y < 0, -1 / np.where(y < 0, y, 1), np.inf))
    return {"depth": np.minimum(np.min(found, axis=0), np.float32(1e30))}


def _ball(to: Array, center: tuple[float, ...], radius: float) -> Array:
    away = -np.array(center)
    a, b, c = (to * to).sum(-1), to @ away, away @ away - radius**2
    d = b * b - a * c
    t = (-b - np.sqrt(np.maximum(d, 0))) / a
    return np.asarray(np.where((d > 0) & (t > 0), t, np.inf))
