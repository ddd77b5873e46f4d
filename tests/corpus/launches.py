# SPDX-License-Identifier: MIT
"""Random launches around every limit of a GPU, of kernels that are safe whatever the launch."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program

SOURCE = """\
__device__ void mark(int *a, int n)
{
    long long block = (blockIdx.z * (long long)gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (block < n && thread == 0) atomicAdd(a + block, 1);
}

__global__ void simple(int *a, int n) { mark(a, n); }

__global__ void __launch_bounds__(256) bounded(int *a, int n) { mark(a, n); }

__global__ void fixed_shared(int *a, int n)
{
    __shared__ int s[10000];
    s[threadIdx.x % 10000] = n;
    __syncthreads();
    if (s[threadIdx.x % 10000] == -1) a[0] = -1;
    mark(a, n);
}

__global__ void dynamic_shared(int *a, int n)
{
    extern __shared__ int d[];
    if (n < 0) { d[threadIdx.x] = n; __syncthreads(); a[0] = d[0]; }
    mark(a, n);
}

template <int WIDTH> __device__ void many_registers(int *a, int n)
{
    float v[WIDTH];
#pragma unroll
    for (int i = 0; i < WIDTH; i++) v[i] = n * i + threadIdx.x;
    for (int r = 0; r < n - 100000; r++)
#pragma unroll
        for (int i = 0; i < WIDTH; i++) v[i] = v[i] * v[(i + 1) % WIDTH] + r;
#pragma unroll
    for (int i = 0; i < WIDTH; i++) if (v[i] == -1.5f) a[i] = i;
    mark(a, n);
}

__global__ void registers_70(int *a, int n) { many_registers<60>(a, n); }
__global__ void registers_120(int *a, int n) { many_registers<110>(a, n); }
__global__ void registers_200(int *a, int n) { many_registers<190>(a, n); }
"""
KERNELS = (
    "simple",
    "bounded",
    "fixed_shared",
    "dynamic_shared",
    "registers_70",
    "registers_120",
    "registers_200",
)
MOST_THREADS_RUN = 1 << 26
"""A legal launch has no more threads, but for a few that go to the end of an axis."""
EDGES = (65_534, 65_535, 65_536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 0, -1)
SHARED_EDGES = (0, 9_152, 9_153, 49_152, 49_153, 192_448, 192_449, 232_448, 232_449, 300_000, -4)


@dataclass(frozen=True)
class FuzzedLaunch:
    """One launch of a kernel of `SOURCE`."""

    kernel: str
    launch: Launch
    n: int
    plain: bool
    """Whether it is made without setting the function's attribute for shared memory."""


def fuzzed_program(kernel: str) -> Program:
    """A kernel of `SOURCE`."""
    return Program(SOURCE, kernel, "fuzz.cu")


def fuzzed_launches(count: int, seed: int) -> Iterator[FuzzedLaunch]:
    """Always the same ones for a seed."""
    chance = random.Random(seed)
    for _number in range(count):
        kernel = chance.choice(KERNELS)
        block = _block(chance)
        launch = Launch(_grid(chance, block), block, _shared(chance))
        yield FuzzedLaunch(kernel, launch, chance.choice((0, 1, 97, 65_536)), chance.random() < 0.4)


def _block(chance: random.Random) -> Dim3:
    how = chance.random()
    if how < 0.35:  # within reach of 1,024 threads, from either side
        x = chance.choice((1, 2, 7, 16, 31, 32, 33, 64, 100, 128, 256, 257, 320, 512, 640, 1024))
        most = max(1, 1024 // x)
        y = chance.choice((1, 1, 1, most, most + 1, chance.randint(1, most)))
        return Dim3(x, y, chance.choice((1, 1, 1, max(1, min(most // y, 64)), 64)))
    if how < 0.65:
        return Dim3(chance.randint(1, 1040), 1, 1)
    if how < 0.88:
        return Dim3(chance.randint(1, 16), chance.randint(1, 8), chance.randint(1, 4))
    if how < 0.95:
        return Dim3(chance.randint(0, 3), chance.randint(0, 20), chance.choice((1, 63, 64, 65)))
    return Dim3(chance.choice((-1, 0, 1, 1024, 1025, 2048, 2**31, 2**32)), 1, 1)


def _grid(chance: random.Random, block: Dim3) -> Dim3:
    room = max(1, MOST_THREADS_RUN // max(1, abs(block.count)))
    if chance.random() < 0.2:
        axes = [1, 1, 1]
        axes[chance.randrange(3)] = chance.choice(EDGES)
        if axes[0] == 2**31 - 1 and block.count > 1 and chance.random() < 0.9:
            axes[0] = 65_536  # the longest grids take a second: only some
        return Dim3(*axes)
    x = chance.randint(1, min(room, 100_000))
    y = chance.randint(1, max(1, min(room // x, 300)))
    return Dim3(x, y, chance.randint(1, max(1, min(room // x // y, 70))))


def _shared(chance: random.Random) -> int:
    how = chance.random()
    if how < 0.65:
        return 0
    return chance.choice(SHARED_EDGES) if how < 0.8 else chance.randint(0, 240_000)
