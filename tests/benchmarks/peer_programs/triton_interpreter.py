# SPDX-License-Identifier: MIT
# mypy: ignore-errors
# What it imports is in the environment of the peers only.
"""Seconds in Triton's interpreter, as JSON; runs in the peers' environment.

The interpreter wants tensors of PyTorch, which PyPI has only with hundreds of megabytes of CUDA
libraries. It uses few of their methods, and `Tensor` has these over an array of NumPy.
"""

from __future__ import annotations

import json
import os
import time

os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
import triton
import triton.language as tl


class Tensor:
    """What the interpreter asks of a tensor; it is its own storage."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.dtype = array.dtype.name

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self.array.ctypes.data

    def untyped_storage(self) -> Tensor:
        """The storage, which is the tensor itself."""
        return self

    def cpu(self) -> Tensor:
        """Memory of the host."""
        return self

    def new_empty(self, _size: int, device: str) -> Tensor:
        """A tensor that `set_` then makes a view of this one."""
        return Tensor(self.array)

    def set_(self, storage: Tensor, *_place: object) -> None:
        """Make it a view of a storage."""
        self.array = storage.array

    def storage_offset(self) -> int:
        """Where in the storage it begins."""
        return 0

    def size(self) -> tuple[int, ...]:
        """Its shape."""
        return self.array.shape

    def stride(self) -> tuple[int, ...]:
        """Elements from one row to the next."""
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def copy_(self, _other: Tensor) -> None:
        """Nothing: it is the same memory."""


@triton.jit
def add(a, b, c, n, block_size: tl.constexpr):
    """One block of elements a program."""
    i = tl.program_id(0) * block_size + tl.arange(0, block_size)
    inside = i < n
    total = tl.load(a + i, mask=inside) + tl.load(b + i, mask=inside)
    tl.store(c + i, total, mask=inside)


@triton.jit
def multiply(c, a, b, n, tile_size: tl.constexpr):
    """One tile of the product a program."""
    y = tl.program_id(1) * tile_size + tl.arange(0, tile_size)
    x = tl.program_id(0) * tile_size + tl.arange(0, tile_size)
    k = tl.arange(0, tile_size)
    total = tl.zeros((tile_size, tile_size), dtype=tl.float32)
    for start in range(0, n, tile_size):
        left = tl.load(a + y[:, None] * n + (start + k)[None, :])
        right = tl.load(b + (start + k)[:, None] * n + x[None, :])
        total += tl.dot(left, right)
    tl.store(c + y[:, None] * n + x[None, :], total)


def main() -> None:
    """Time both at full size."""
    n, side, block, tile = 1_000_000, 256, 256, 16
    a = np.random.default_rng(0).random(n, np.float32)
    c = np.zeros_like(a)
    seconds = {}
    seconds["vector add 1 M"] = _best(
        lambda: add[(-(-n // block),)](Tensor(a), Tensor(a), Tensor(c), n, block_size=block)
    )
    m = a[: side * side].reshape(side, side).copy()
    p = np.zeros_like(m)
    seconds["tiled matmul 256³"] = _best(
        lambda: multiply[(side // tile, side // tile)](
            Tensor(p), Tensor(m), Tensor(m), side, tile_size=tile
        )
    )
    assert np.array_equal(c, a + a)
    assert np.allclose(p, m @ m, rtol=1e-4)
    print(json.dumps(seconds))


def _best(launch) -> float:
    times = []
    for _time in range(2):
        begin = time.perf_counter()
        launch()
        times.append(time.perf_counter() - begin)
    return min(times)


if __name__ == "__main__":
    main()
