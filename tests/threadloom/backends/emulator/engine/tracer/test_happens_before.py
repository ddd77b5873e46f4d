# SPDX-License-Identifier: MIT
"""Happens-before: races of blocks that synchronize by fences and flags; correct ones have none."""

from __future__ import annotations

import numpy as np
import pytest

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.trace import Trace
from threadloom.services.devices import device_table

LAST_BLOCK = """__device__ unsigned int done = 0;
__device__ float partial[64];
__global__ void k(const float *x, float *out, int n) {
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += partial[b];
        out[0] = sum;
    }
}"""
ALL_FENCE = """__device__ int done;
__device__ float partial[2048];
__global__ void k(const float *x, float *out, int n) {
    __shared__ int last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    partial[i] = x[i];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += partial[b * 64 + t];
        atomicAdd(out, sum);
    }
}"""
LOCK = """__device__ int lock;
__device__ float total[2];
__global__ void k(const float *x, float *out, int n) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence();
        total[0] += x[blockIdx.x * 64];
        out[0] = total[0];
        __threadfence();
        atomicExch(&lock, 0);
    }
}"""
LOCK_PER_THREAD = """__device__ int lock;
__global__ void k(const float *x, float *out, int n) {
    bool waits = true;
    while (waits) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            out[0] += x[blockIdx.x * 64 + threadIdx.x];
            __threadfence();
            atomicExch(&lock, 0);
            waits = false;
        }
    }
}"""
GRID_BARRIER = """__device__ unsigned int arrived;
__device__ volatile unsigned int turn;
__device__ float part[2048];
__device__ void grid_barrier() {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned int mine = turn;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            turn = mine + 1;
        } else {
            while (turn == mine) {}
        }
        __threadfence();
    }
    __syncthreads();
}
__global__ void k(const float *x, float *out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    part[i] = x[i];
    grid_barrier();
    float other = part[n - 1 - i];
    grid_barrier();
    part[i] = other;
    grid_barrier();
    if (i == 0) {
        float sum = 0;
        for (int j = 0; j < n; ++j) sum += part[j];
        out[0] = sum;
    }
}"""
LOOK_BACK = """__device__ volatile int state[64];
__device__ float prefix[64], sums[64];
__global__ void k(const float *x, float *out, int n) {
    __shared__ float before;
    int b = blockIdx.x, t = threadIdx.x;
    if (t == 0) {
        float sum = 0;
        for (int i = 0; i < 64; ++i) sum += x[b * 64 + i];
        sums[b] = sum;
        __threadfence();
        state[b] = 1;
        float found = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s;
            while ((s = state[p]) == 0) {}
            __threadfence();
            if (s == 2) { found += prefix[p]; break; }
            found += sums[p];
        }
        prefix[b] = found + sum;
        __threadfence();
        state[b] = 2;
        before = found;
    }
    __syncthreads();
    if (b == gridDim.x - 1 && t == 0) out[0] = before + sums[b];
}"""
RIGHT = {
    "last block": LAST_BLOCK,
    "all fence": ALL_FENCE,
    "lock": LOCK,
    "lock per thread": LOCK_PER_THREAD,
    "grid barrier": GRID_BARRIER,
    "look-back": LOOK_BACK,
}
WRONG = {
    "fence too early": (
        LAST_BLOCK,
        "partial[blockIdx.x] = s[0];\n        __threadfence();",
        "__threadfence();\n        partial[blockIdx.x] = s[0];",
    ),
    "count not atomic": (LAST_BLOCK, "atomicInc(&done, gridDim.x)", "done++"),
    "one fences for all": (
        ALL_FENCE,
        "__threadfence();\n    __syncthreads();",
        "if (t == 0) __threadfence();\n    __syncthreads();",
    ),
    "nobody waits for the others": (
        ALL_FENCE,
        "__threadfence();\n    __syncthreads();",
        "__threadfence();",
    ),
    "one takes no lock": (LOCK, "while (atomicCAS", "while (blockIdx.x != 3 && atomicCAS"),
    "another lock": (LOCK_PER_THREAD, "total", "total"),
    "no second barrier": (
        GRID_BARRIER,
        "float other = part[n - 1 - i];\n    grid_barrier();",
        "float other = part[n - 1 - i];",
    ),
    "flag not volatile": (LOOK_BACK, "state[b] = 1;", "((int *)state)[b] = 1;"),
    "told too early": (
        LOOK_BACK,
        "prefix[b] = found + sum;\n        __threadfence();\n        state[b] = 2;",
        "__threadfence();\n        state[b] = 2;\n        prefix[b] = found + sum;",
    ),
}
WRONG["another lock"] = (
    LOCK_PER_THREAD.replace("int lock;", "int lock, lock2[2];"),
    "atomicCAS(&lock, 0, 1)",
    "atomicCAS(blockIdx.x == 2 ? &lock2[1] : &lock, 0, 1)",
)


def trace(text: str, cores: int, blocks: int) -> tuple[Trace, float, float]:
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=cores, limit_s=20.0)
    x = np.arange(blocks * 64, dtype=np.float32) % 13
    arguments: Values = {"x": x, "out": np.zeros(1, np.float32), "n": np.int32(x.size)}
    compiled = engine.compile(Program(text, "k"))
    seen = engine.trace(compiled, Launch(Dim3(blocks), Dim3(64)), arguments)
    return seen.trace, float(seen.outputs.arrays["out"][0]), float(x.sum())


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("cores", [1, 2, 4])
def test_what_orders_itself_raises_no_alarm(name: str, cores: int) -> None:
    seen, out, right = trace(RIGHT[name], cores, 8)
    assert seen.violations == ()
    assert [(r.array, r.line, r.other_line) for r in seen.races] == []
    if name != "lock":
        assert out == right


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("cores", [1, 2, 4])
def test_what_lacks_a_part_of_it_is_told(name: str, cores: int) -> None:
    text, part, instead = WRONG[name]
    assert text.count(part) == 1
    seen, _out, _right = trace(text.replace(part, instead), cores, 8)
    assert seen.races


@pytest.mark.parametrize("name", ["grid barrier", "look-back", "lock per thread"])
def test_blocks_that_wait_for_each_other_run_plain_on_one_core(name: str) -> None:
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=1, limit_s=20.0)
    x = np.arange(512, dtype=np.float32) % 13
    arguments: Values = {"x": x, "out": np.zeros(1, np.float32), "n": np.int32(x.size)}
    compiled = engine.compile(Program(RIGHT[name], "k"))
    out = engine.run(compiled, Launch(Dim3(8), Dim3(64)), arguments)
    assert out.arrays["out"][0] == x.sum()


def test_a_thread_may_wait_for_another_of_its_block() -> None:
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=1, limit_s=20.0)
    text = """__global__ void k(volatile int *flag, int *x) {
    if (threadIdx.x == 0) {
        while (*flag == 0) {}
        x[0] = x[1] + 1;
    }
    if (threadIdx.x == 40) {
        x[1] = 5;
        __threadfence();
        *flag = 1;
    }
    __syncthreads();
}"""
    arguments: Values = {"flag": np.zeros(1, np.int32), "x": np.zeros(2, np.int32)}
    compiled, launch = engine.compile(Program(text, "k")), Launch(Dim3(1), Dim3(64))
    seen = engine.trace(compiled, launch, arguments)
    assert seen.trace.violations == ()
    assert seen.trace.races == ()
    assert seen.outputs.arrays["x"].tolist() == [6, 5]
    assert engine.run(compiled, launch, arguments).arrays["x"].tolist() == [6, 5]
