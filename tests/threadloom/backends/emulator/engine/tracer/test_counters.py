# SPDX-License-Identifier: MIT
"""Counters as a profiler has them, and every access of one block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.trace import AccessKind, Site, Space, Trace

STRIDE = (
    "__global__ void k(float *o, const float *a, int by) { int i = threadIdx.x; o[i] = a[i * by]; }"
)


def site(trace: Trace, array: str, kind: AccessKind) -> Site:
    return next(s for s in trace.sites if (s.array, s.kind) == (array, kind))


@pytest.mark.parametrize(("by", "sectors"), [(1, 4), (2, 8), (8, 32), (33, 32), (0, 1)])
def test_sectors_of_a_strided_read_are_those_of_an_h200(lab: Any, by: int, sectors: int) -> None:
    a, o = np.zeros(32 * 33, np.float32), np.zeros(32, np.float32)
    read = site(lab.trace(STRIDE, (1,), (32,), o=o, a=a, by=np.int32(by)), "a", AccessKind.READ)
    assert (read.requests, read.sectors, read.active_lanes) == (1, sectors, 32)
    assert read.ideal_sectors == (4 if by else 1)


TRANSPOSE = """__global__ void k(float *o, const float *a, int n) {{
    __shared__ float t[32][32 + {pad}];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    t[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    int i = (blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x;
    o[i] = t[threadIdx.x][threadIdx.y];
}}"""


@pytest.mark.parametrize(("pad", "conflicts"), [(0, 31), (1, 0)])
def test_bank_conflicts_of_a_transpose(lab: Any, pad: int, conflicts: int) -> None:
    n = 64
    a = np.arange(n * n, dtype=np.float32)
    trace = lab.trace(TRANSPOSE.format(pad=pad), (2, 2), (32, 32), o=a * 0, a=a, n=np.int32(n))
    load = next(s for s in trace.sites if (s.space, s.kind) == (Space.SHARED, AccessKind.READ))
    assert (load.requests, load.bank_conflicts) == (4 * 32, conflicts * 4 * 32)


def test_lanes_that_part_are_counted_apart_and_meet_again(lab: Any) -> None:
    text = """__global__ void k(float *o, double *p, float *q, const float *a, const double *b) {
    int i = threadIdx.x;
    if (i % 4 == 0) o[i] = a[i] * 2.0f;
    else p[i] = b[i] + 1.0;
    q[i] = 1.0f;
}"""
    x, y = np.zeros(64, np.float32), np.zeros(64)
    trace = lab.trace(text, (1,), (64,), o=x, p=y, q=x, a=x, b=y)
    counted = {(s.line, s.requests, s.active_lanes) for s in trace.sites}
    assert counted == {(3, 2, 16), (4, 2, 48), (5, 2, 64)}


def test_a_function_that_only_reads_is_seen_reading(lab: Any) -> None:
    text = """__device__ __noinline__ float get(const float *p, int i) { return p[i] + p[i + 1]; }
__global__ void k(float *o, const float *a) { o[threadIdx.x] = get(a, threadIdx.x) * 2.0f; }"""
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.float32), a=np.zeros(33, np.float32))
    assert [(s.line, s.array, s.active_lanes) for s in trace.sites] == [
        (1, "a", 32),
        (1, "a", 32),
        (2, "o", 32),
    ]


def test_a_partial_warp_counts_its_own_lanes(lab: Any) -> None:
    a, o = np.zeros(64, np.float32), np.zeros(64, np.float32)
    read = site(lab.trace(STRIDE, (1,), (40,), o=o, a=a, by=np.int32(1)), "a", AccessKind.READ)
    assert (read.requests, read.sectors, read.active_lanes) == (2, 5, 40)


def test_vector_loads_move_wide_requests(lab: Any) -> None:
    text = "__global__ void k(float4 *o, const float4 *a) { o[threadIdx.x] = a[threadIdx.x]; }"
    a = np.zeros(128, np.float32)
    read = site(lab.trace(text, (1,), (32,), o=a, a=a), "a", AccessKind.READ)
    assert (read.requests, read.sectors, read.ideal_sectors) == (1, 16, 16)


def test_atomics_are_counted_where_the_user_wrote_them(lab: Any) -> None:
    text = "__global__ void k(int *o) {\n    atomicAdd(o, 1);\n}"
    trace = lab.trace(text, (4,), (64,), o=np.zeros(1, np.int32))
    (atomic,) = trace.sites
    assert (atomic.kind, atomic.line, atomic.active_lanes) == (AccessKind.ATOMIC, 2, 256)
    assert (trace.coverage["o"].writes[0], trace.coverage["o"].multi_writer) == (256, 0)


def test_every_access_of_a_block(lab: Any) -> None:
    text = """__global__ void k(float *o, const int *a) {
    __shared__ float s[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = a[i] * 0.5f;
    __syncthreads();
    o[i] = s[3 - threadIdx.x];
}"""
    o, a = np.zeros(12, np.float32), np.arange(100, 112, dtype=np.int32)
    trace = lab.trace(text, (3,), (4,), keep=Dim3(1, 0, 0), o=o, a=a)
    block = trace.block
    assert block is not None
    assert block.arrays == ("o", "a", "s")
    assert [block.arrays[n] for n in block.array[::4]] == ["a", "s", "s", "o"]
    assert block.thread.tolist() == [0, 1, 2, 3] * 4
    assert block.step.tolist() == [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4
    assert block.element.tolist() == [4, 5, 6, 7, 0, 1, 2, 3, 3, 2, 1, 0, 4, 5, 6, 7]
    halves = [52.0, 52.5, 53.0, 53.5]
    assert block.value.tolist() == [104, 105, 106, 107, *halves, *halves[::-1], *halves[::-1]]
    assert block.address.tolist()[:4] == [256 + 16, 256 + 20, 256 + 24, 256 + 28]
    kinds = [trace.sites[n].kind for n in block.site[::4]]
    assert kinds == [AccessKind.READ, AccessKind.WRITE, AccessKind.READ, AccessKind.WRITE]
    assert [trace.sites[n].line for n in block.site[::4]] == [4, 4, 6, 6]


def test_keeping_a_block_changes_nothing_else(lab: Any) -> None:
    a, o = np.zeros(33 * 64, np.float32), np.zeros(64, np.float32)
    arguments = {"o": o, "a": a, "by": np.int32(3)}
    plain = lab.trace(STRIDE, (2,), (64,), **arguments)
    kept = lab.trace(STRIDE, (2,), (64,), keep=Dim3(1, 0, 0), **arguments)
    assert (plain.sites, plain.accesses) == (kept.sites, kept.accesses)


def test_order_runs_through_the_writes_of_a_block(lab: Any) -> None:
    text = "__global__ void k(float *o) { o[blockIdx.x * 64 + 63 - threadIdx.x] = 1.0f; }"
    order = lab.trace(text, (2,), (64,), o=np.zeros(128, np.float32)).coverage["o"].order
    np.testing.assert_array_equal(order.reshape(2, 64), np.tile(np.arange(64)[::-1], (2, 1)))


def test_one_block_alone_is_traced_as_among_all(lab: Any) -> None:
    text = """__global__ void k(float *o, const float *a) {
    __shared__ float s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = a[i];
    __syncthreads();
    o[i] = s[63 - threadIdx.x];
}"""
    arguments = {"o": np.zeros(640, np.float32), "a": np.arange(640, dtype=np.float32)}
    compiled, block = lab.compile(text), Dim3(7, 0, 0)
    launch = Launch(Dim3(10), Dim3(64))
    whole = lab.engine.trace(compiled, launch, arguments, block).trace
    alone = lab.engine.trace(compiled, launch, arguments, block, only_block=True).trace
    assert whole.block is not None
    assert alone.block is not None
    for name in ("thread", "step", "site", "element", "address", "value", "array"):
        np.testing.assert_array_equal(getattr(alone.block, name), getattr(whole.block, name))
    assert (alone.accesses, whole.accesses) == (4 * 64, 4 * 640)
    assert alone.coverage["o"].written == 64


ADDED = """__global__ void k(int *o, int places) {{
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    __syncwarp();
    atomicAdd({place} + threadIdx.x % places, {value});
}}"""
OWN, ONE = "(int)threadIdx.x", "1"


@pytest.mark.parametrize(
    ("value", "places", "sectors"), [(OWN, 1, 32), (ONE, 1, 32), (OWN, 2, 16), (OWN, 32, 4)]
)
def test_lanes_that_change_one_element_take_a_pass_each(
    lab: Any, value: str, places: int, sectors: int
) -> None:
    text = ADDED.format(place="o", value=value)
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.int32), places=np.int32(places))
    atomic = site(trace, "o", AccessKind.ATOMIC)
    assert (atomic.requests, atomic.sectors, atomic.ideal_sectors) == (1, sectors, sectors)


@pytest.mark.parametrize(
    ("value", "places", "conflicts"), [(OWN, 1, 31), (OWN, 7, 4), (OWN, 32, 0), (ONE, 1, 0)]
)
def test_lanes_that_change_one_shared_word_conflict(
    lab: Any, value: str, places: int, conflicts: int
) -> None:
    """The GPU counts the lanes first where all add a constant 1."""
    text = ADDED.format(place="s", value=value)
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.int32), places=np.int32(places))
    atomic = site(trace, "s", AccessKind.ATOMIC)
    assert (atomic.requests, atomic.bank_conflicts) == (1, conflicts)


def test_an_addition_of_one_is_kept_with_its_size(lab: Any) -> None:
    text = "__global__ void k(int *o) { atomicAdd(o, 1); }"
    trace = lab.trace(text, (1,), (2,), keep=Dim3(0, 0, 0), o=np.zeros(1, np.int32))
    assert trace.block is not None
    assert trace.block.size.tolist() == [4, 4]
