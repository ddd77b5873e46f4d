# SPDX-License-Identifier: MIT
"""Distinct bytes and atomics by address, against known answers and a model in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.model.array import Array, Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.totals import Total, totals
from threadloom.model.trace import AccessKind, Atomics, Site, Space, Trace

WARP = 32


def site(trace: Trace, array: str, kind: AccessKind = AccessKind.READ) -> Site:
    return next(s for s in trace.sites if (s.array, s.kind) == (array, kind))


def total(trace: Trace, array: str | None, space: Space = Space.GLOBAL) -> Total:
    return next(t for t in totals(trace) if (t.array, t.space) == (array, space))


def test_each_byte_of_a_vector_is_touched_once(lab: Any) -> None:
    text = """__global__ void k(float *c, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i];
}"""
    a = np.zeros(1000, np.float32)
    trace = lab.trace(text, (9,), (128,), c=a, a=a, n=np.int32(777))
    for name, kind in (("a", AccessKind.READ), ("c", AccessKind.WRITE)):
        seen = site(trace, name, kind)
        assert (seen.requested_bytes, seen.distinct_bytes, seen.reuse) == (3108, 3108, 1.0)
    assert trace.distinct_bytes == {"a": 3108, "c": 3108}
    assert total(trace, None).distinct_bytes == 6216


def test_a_product_reads_each_element_once_for_each_of_the_others_rows(lab: Any) -> None:
    text = """__global__ void k(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}"""
    m = np.zeros((48, 48), np.float32)
    trace = lab.trace(text, (3, 3), (16, 16), c=m, a=m, b=m, n=np.int32(48))
    assert [site(trace, name).reuse for name in "ab"] == [48.0, 48.0]
    assert trace.distinct_bytes == dict.fromkeys("abc", m.nbytes)


def test_a_stencil_shares_most_of_what_its_lines_read(lab: Any) -> None:
    text = """__global__ void k(float *o, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i >= n - 1) return;
    float left = a[i - 1],
          here = a[i],
          right = a[i + 1];
    o[i] = left + here + right;
}"""
    a = np.zeros(300, np.float32)
    trace = lab.trace(text, (3,), (100,), o=a, a=a, n=np.int32(300))
    reads = [s for s in trace.sites if s.array == "a"]
    assert [s.distinct_bytes for s in reads] == [298 * 4] * 3
    assert trace.distinct_bytes == {"o": 298 * 4, "a": 300 * 4}
    assert total(trace, "a").reuse == 298 * 3 / 300


def test_one_line_of_a_loop_that_was_unrolled_is_one_place(lab: Any) -> None:
    text = """__global__ void k(float *o, const float *a) {
    float s = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) s += a[threadIdx.x + 16 * k];
    o[threadIdx.x] = s;
}"""
    a, o = np.zeros(256, np.float32), np.zeros(32, np.float32)
    read = site(lab.trace(text, (1,), (32,), o=o, a=a), "a")
    assert (read.requests, read.requested_bytes, read.distinct_bytes) == (
        8,
        8 * 128,
        (112 + 32) * 4,
    )


def test_parts_of_elements_and_several_at_once_are_told_apart(lab: Any) -> None:
    text = """__global__ void k(float *o, const double *d, const float *f) {
    int i = threadIdx.x;
    float low = ((const float *)d)[2 * i];
    if (i < 8) low += (float)d[i];
    float4 four = ((const float4 *)f)[i];
    o[i] = low + four.x + f[i + 100];
}"""
    d, f, o = np.zeros(32), np.zeros(256, np.float32), np.zeros(32, np.float32)
    trace = lab.trace(text, (1,), (32,), o=o, d=d, f=f)
    assert [s.distinct_bytes for s in trace.sites if s.array == "d"] == [32 * 4, 8 * 8]
    assert sorted(s.distinct_bytes or 0 for s in trace.sites if s.array == "f") == [128, 512]
    assert trace.distinct_bytes == {"d": 32 * 4 + 8 * 4, "f": 132 * 4, "o": 128}


def test_what_lies_outside_an_array_is_not_counted(lab: Any) -> None:
    text = "__global__ void k(float *o, const float *a) { o[threadIdx.x] = a[threadIdx.x + 40]; }"
    a, o = np.zeros(64, np.float32), np.zeros(32, np.float32)
    trace = lab.trace(text, (1,), (32,), o=o, a=a)
    assert trace.oob_reads == 8
    assert (site(trace, "a").requested_bytes, site(trace, "a").distinct_bytes) == (128, 96)


def test_a_place_that_reads_several_arrays_counts_the_bytes_of_each(lab: Any) -> None:
    text = """__device__ __noinline__ float get(const float *p, int i) { return p[i]; }
__global__ void k(float *o, const float *a, const float *b) {
    int i = threadIdx.x;
    o[i] = get(i % 2 ? a : b, i) + get(a, i / 2);
}"""
    a, o = np.zeros(64, np.float32), np.zeros(64, np.float32)
    trace = lab.trace(text, (1,), (64,), o=o, a=a, b=a)
    read = site(trace, "")
    touched = len(set(range(1, 64, 2)) | set(range(32))) * 4
    assert (read.requested_bytes, read.distinct_bytes) == (512, touched + 32 * 4)
    assert trace.distinct_bytes == {"o": 256, "a": touched, "b": 128}
    assert total(trace, "").distinct_bytes is None
    assert total(trace, None).distinct_bytes == 256 + touched + 128


# Against a model --------------------------------------------------------------------------

WALK = """__global__ void k(T *o, const T *a, const int *start, int n, int times, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T s = 0;
    int at = start[i];
    for (int k = 0; k < times; ++k, at += step)
        s += a[at];
    o[i] = s;
}"""
SHARED = """__global__ void k(float *o, const int *start, int times, int step) {
    __shared__ float s[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) s[i] = i;
    __syncthreads();
    float sum = 0;
    int at = start[threadIdx.x];
    for (int k = 0; k < times; ++k, at += step)
        sum += s[at & 2047];
    o[threadIdx.x] = sum;
}"""


def starts(rng: np.random.Generator, threads: int, room: int) -> Array:
    """Where the threads begin: side by side, apart, all at one place, in tiles, or anywhere."""
    i = np.arange(threads)
    shapes = (i, i * rng.integers(2, 40), i * 0, i % 16 + i // 16 * 64, -i, i ^ 5)
    chosen = [*shapes, rng.integers(0, room, threads)][rng.integers(0, len(shapes) + 1)]
    return (np.asarray(chosen) + rng.integers(0, room)) % room


def by_request(elements: Array, block: int) -> list[Array]:
    """The elements of each warp's request; `elements` is steps × threads."""
    warps = [
        elements[step, first : min(first + WARP, start + block, elements.shape[1])]
        for step in range(len(elements))
        for start in range(0, elements.shape[1], block)
        for first in range(start, min(start + block, elements.shape[1]), WARP)
    ]
    return [warp for warp in warps if warp.size]


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
def test_walks_count_what_a_model_counts(lab: Any, dtype: type[np.generic]) -> None:
    names: dict[type[np.generic], str] = {
        np.int8: "signed char",
        np.float32: "float",
        np.float64: "double",
    }
    compiled = lab.compile(WALK.replace("T ", f"{names[dtype]} "))
    item = np.dtype(dtype).itemsize
    rng = np.random.default_rng(item)
    for _round in range(40):
        n, block = int(rng.integers(1, 400)), int(rng.integers(1, 257))
        times, step = int(rng.integers(1, 40)), int(rng.integers(-70, 71))
        room = 6000
        way = step * times
        start = np.clip(starts(rng, n, room), max(0, -way), room - 1 - max(0, way))
        arguments: Values = {
            "o": np.zeros(n, dtype),
            "a": np.zeros(room, dtype),
            "start": start.astype(np.int32),
            "n": np.int32(n),
            "times": np.int32(times),
            "step": np.int32(step),
        }
        launch = Launch(Dim3(-(-n // block)), Dim3(block))
        trace = lab.engine.trace(compiled, launch, arguments).trace
        elements = start[None] + step * np.arange(times)[:, None]
        requests = by_request(elements, block)
        read = site(trace, "a")
        assert (read.requests, read.active_lanes) == (len(requests), n * times)
        assert read.sectors == sum(len(np.unique(r * item // 32)) for r in requests)
        assert read.ideal_sectors == sum(-(-len(np.unique(r)) * item // 32) for r in requests)
        assert read.distinct_bytes == len(np.unique(elements)) * item
        assert trace.distinct_bytes["a"] == read.distinct_bytes


def passes(words: Array) -> int:
    """How often shared memory is passed for one request: its busiest bank's different words."""
    return int(np.bincount(np.unique(words) % 32).max())


def test_walks_through_shared_memory_count_what_a_model_counts(lab: Any) -> None:
    rng, compiled = np.random.default_rng(3), lab.compile(SHARED)
    for _round in range(25):
        block, times = int(rng.integers(1, 257)), int(rng.integers(1, 40))
        step, start = int(rng.integers(-70, 71)), starts(rng, block, 2048)
        arguments: Values = {
            "o": np.zeros(block, np.float32),
            "start": start.astype(np.int32),
            "times": np.int32(times),
            "step": np.int32(step),
        }
        trace = lab.engine.trace(compiled, Launch(Dim3(2), Dim3(block)), arguments).trace
        elements = (start[None] + step * np.arange(times)[:, None]) & 2047
        requests = by_request(elements, block)
        read = site(trace, "s")
        assert read.requests == 2 * len(requests)
        assert read.bank_conflicts == 2 * sum(passes(request) - 1 for request in requests)
        assert read.distinct_bytes is None


# Atomics -----------------------------------------------------------------------------------

HISTOGRAM = """__global__ void k(int *bins, const int *x, int n) {
    __shared__ int own[64];
    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[x[i] / 2], x[i]);
    if (i < n)
        atomicAdd(&bins[x[i]], 1);
}"""


def meeting(values: Array, block: int) -> int:
    """Atomics that share their address with another lane of their request."""
    found = 0
    for request in by_request(values[None], block):
        _places, counts = np.unique(request, return_counts=True)
        found += int(counts[counts > 1].sum())
    return found


@pytest.mark.parametrize("seed", range(6))
def test_atomics_by_address_are_those_of_a_model(lab: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, block = int(rng.integers(1, 3000)), int(rng.integers(64, 300))
    x = np.minimum(rng.integers(0, 128, n), rng.integers(0, 128, n)).astype(np.int32)
    blocks = -(-n // block)
    bins = np.zeros(128, np.int32)
    trace = lab.trace(HISTOGRAM, (blocks,), (block,), bins=bins, x=x, n=np.int32(n))
    counts = np.bincount(x, minlength=128)
    most = int(counts.argmax())
    assert site(trace, "bins", AccessKind.ATOMIC).atomics == Atomics(
        meeting(x, block), int((counts > 0).sum()), int(counts[most]), "bins", most, None
    )
    own = np.stack([np.bincount(x[b * block :][:block] // 2, minlength=64) for b in range(blocks)])
    where, index = divmod(int(own.argmax()), 64)
    assert site(trace, "own", AccessKind.ATOMIC).atomics == Atomics(
        meeting(x // 2, block), int((own > 0).sum()), int(own.max()), "own", index, where
    )


def test_a_sum_by_atomics_meets_at_one_address(lab: Any) -> None:
    text = "__global__ void k(float *sum, const float *a) { atomicAdd(sum, a[threadIdx.x]); }"
    trace = lab.trace(text, (5,), (96,), sum=np.zeros(1, np.float32), a=np.zeros(96, np.float32))
    found = site(trace, "sum", AccessKind.ATOMIC)
    assert found.atomics == Atomics(480, 1, 480, "sum", 0, None)
    assert found.distinct_bytes == 4
    assert site(trace, "a").atomics is None


def test_atomics_outside_the_array_fall_on_no_address(lab: Any) -> None:
    text = "__global__ void k(int *o) { atomicAdd(&o[threadIdx.x + 20], 2); }"
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.int32))
    found = site(trace, "o", AccessKind.ATOMIC)
    assert found.atomics == Atomics(0, 12, 1, "o", 20, None)
    assert found.distinct_bytes == 48
