# SPDX-License-Identifier: MIT
"""The steps of a ladder of matrix products."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

ALPHA, BETA = 0.5, 2.0


def sgemm_cases() -> Iterator[Case]:
    """All of them; the templates' arguments stand in the host's part."""
    yield _case("sgemm_naive", (3, 2), (16, 16), (37, 20, 50))
    yield _case("sgemm_coalesced", (2, 1), (1024,), (37, 20, 50))
    yield _case("sgemm_shared", (2, 2), (1024,), (64, 64, 32))
    yield _case("sgemm_tile_1d", (2, 1), (512,), (64, 128, 24))
    yield _case("sgemm_vectorized", (1, 1), (256,), (128, 128, 16))


def _case(
    entry: str, grid: tuple[int, ...], block: tuple[int, ...], size: tuple[int, int, int]
) -> Case:
    return Case(
        f"sgemm/{entry}",
        program("programs/sgemm.cu", entry),
        launch(grid, block),
        partial(_values, *size),
        _answer,
        tolerance=2e-6,
    )


def _values(m: int, n: int, k: int) -> Values:
    rng = np.random.default_rng(3)
    a, b, c = (rng.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n), (m, n)))
    numbers = {"M": np.int32(m), "N": np.int32(n), "K": np.int32(k)}
    return {
        **numbers,
        "alpha": np.float32(ALPHA),
        "A": a,
        "B": b,
        "beta": np.float32(BETA),
        "C": c,
    }


def _answer(v: Values) -> Mapping[str, Array]:
    a, b, c = (np.asarray(v[name], np.float64) for name in "ABC")
    return {"C": ALPHA * (a @ b) + BETA * c}
