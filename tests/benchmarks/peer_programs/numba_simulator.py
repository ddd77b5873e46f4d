# SPDX-License-Identifier: MIT
# mypy: ignore-errors
# What it imports is in the environment of the peers only.
"""Seconds per thread in numba's CUDA simulator, as JSON; runs in the peers' environment."""

from __future__ import annotations

import json
import os
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np
from numba import cuda

BLOCKS, THREADS = 8, 256
SIDE = 16


@cuda.jit
def add(a, b, c, n):
    """One element a thread."""
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]


@cuda.jit
def multiply(c, a, b, n):
    """One element of the product a thread."""
    x, y = cuda.grid(2)
    total = np.float32(0)
    for k in range(n):
        total += a[y, k] * b[k, x]
    c[y, x] = total


def main() -> None:
    """Time both kernels on little data, in blocks as ours are: more blocks take their turn."""
    n = BLOCKS * THREADS
    a = np.arange(n, dtype=np.float32)
    c = np.zeros_like(a)
    per_add = _best(lambda: add[BLOCKS, THREADS](a, a, c, n), n)
    m = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    p = np.zeros_like(m)
    per_product = _best(lambda: multiply[(1, 1), (SIDE, SIDE)](p, m, m, SIDE), SIDE**3)
    assert np.array_equal(c, a + a)
    assert np.allclose(p, m @ m, rtol=1e-5)
    print(json.dumps({"add per thread": per_add, "multiply per step": per_product}))


def _best(launch, parts: int) -> float:
    times = []
    for _time in range(3):
        begin = time.perf_counter()
        launch()
        times.append(time.perf_counter() - begin)
    return min(times) / parts


if __name__ == "__main__":
    main()
