# SPDX-License-Identifier: MIT
"""Textbook kernels, at sizes at which counters mean something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Values
from threadloom.model.dim3 import ceil_div

N = 20_000


def textbook_cases() -> Iterator[Case]:
    """All of them; more than one for a file with several kernels."""
    yield from _rows()
    yield from _planes()
    yield from _reductions()
    yield from _sparse()
    yield Case(
        "nbody",
        program("nbody.cu", "nbody"),
        launch((ceil_div(500, 64),), (64,), 64 * 16),
        _bodies,
        tolerance=1e-5,
    )


def _chance() -> np.random.Generator:
    return np.random.default_rng(4)


def _rows() -> Iterator[Case]:
    yield Case("scan", program("scan.cu", "scan"), launch((157,), (64,), 512), _scan)
    yield Case(
        "add_offsets", program("scan.cu", "add_offsets"), launch((79,), (256,)), _add_offsets
    )
    yield Case("histogram", program("histogram.cu", "histogram"), launch((16,), (128,)), _bytes)
    yield Case(
        "bitonic_sort",
        program("bitonic.cu", "bitonic_sort"),
        launch((ceil_div(N, 256),), (128,), 1024),
        lambda: {"data": _chance().integers(-1000, 1000, N, np.int32), "n": np.int32(N)},
    )
    yield Case(
        "stencil_1d",
        program("stencil.cu", "stencil_1d"),
        launch((ceil_div(N, 64),), (64,)),
        lambda: {
            "before": _chance().integers(0, 100, N, np.int32),
            "after": np.zeros(N, np.int32),
            "n": np.int32(N),
        },
    )


def _scan() -> Values:
    return {
        "x": _chance().integers(-9, 10, N, np.int32),
        "out": np.zeros(N, np.int32),
        "totals": np.zeros(157, np.int32),
        "n": np.int32(N),
    }


def _add_offsets() -> Values:
    return {
        "out": _chance().integers(-9, 10, N, np.int32),
        "offsets": np.arange(157, dtype=np.int32),
        "per_block": np.int32(128),
        "n": np.int32(N),
    }


def _bytes() -> Values:
    data = _chance().binomial(255, 0.3, N).astype(np.uint8)
    return {"data": data, "bins": np.zeros(256, np.uint32), "n": np.int32(N)}


def _planes() -> Iterator[Case]:
    height, width = 101, 150
    size = {"height": np.int32(height), "width": np.int32(width)}
    tiles = launch((ceil_div(width, 16), ceil_div(height, 16)), (16, 16))

    def matrix() -> Values:
        a = _chance().random((height, width), np.float32)
        return {"a": a, "b": np.zeros((width, height), np.float32), **size}

    def plate() -> Values:
        before = _chance().random((height, width), np.float32)
        return {"before": before, "after": before * 0, **size, "rate": np.float32(0.2)}

    def world() -> Values:
        now = (_chance().random((height, width)) < 0.4).astype(np.uint8)
        return {"now": now, "next": now * 0, **size}

    def plane() -> Values:
        return {
            "steps": np.zeros((height, width), np.int32),
            "width": np.int32(width),
            "height": np.int32(height),
            "left": np.float64(-2.013),
            "top": np.float64(1.107),
            "pixel": np.float64(0.02),
            "most": np.int32(50),
        }

    made: dict[str, tuple[str, Callable[[], Values], float]] = {
        "transpose": ("transpose.cu", matrix, 0),
        "stencil_2d": ("stencil.cu", plate, 1e-6),
        "life": ("life.cu", world, 0),
        "mandelbrot": ("mandelbrot.cu", plane, 0),
    }
    for name, (file, values, tolerance) in made.items():
        yield Case(name, program(file, name), tiles, values, tolerance=tolerance)


def _reductions() -> Iterator[Case]:
    for step in range(1, 8):
        grid = 20 if step == 7 else ceil_div(N, 128 if step < 4 else 256)
        yield Case(
            f"reduction/step{step}",
            program("reduction.cu", f"step{step}"),
            launch((grid,), (128,)),
            partial(_summands, grid),
        )


def _summands(grid: int) -> Values:
    x = (np.arange(N) % 17 + 1).astype(np.float32)
    return {"x": x, "sums": np.zeros(grid, np.float32), "n": np.int32(N)}


def _sparse() -> Iterator[Case]:
    for entry, per_row in (("thread_per_row", 1), ("warp_per_row", 32)):
        yield Case(
            f"spmv/{entry}",
            program("spmv.cu", entry),
            launch((ceil_div(300 * per_row, 64),), (64,)),
            _matrix,
            tolerance=1e-12,
        )


def _matrix() -> Values:
    chance, rows, width = _chance(), 300, 400
    dense = chance.random((rows, width)) * (chance.random((rows, width)) < 0.1)
    dense[7] = 0  # an empty row
    used = dense != 0
    return {
        "starts": np.concatenate([[0], np.cumsum(used.sum(1))]).astype(np.int32),
        "columns": np.nonzero(used)[1].astype(np.int32),
        "values": dense[used],
        "x": chance.random(width),
        "y": np.full(rows, np.nan),
        "rows": np.int32(rows),
    }


def _bodies() -> Values:
    n = 500
    places = {axis: np.zeros(n, np.float32) for axis in ("ax", "ay", "az")}
    return {"bodies": _chance().random((n, 4), np.float32), **places, "n": np.int32(n)}
