# SPDX-License-Identifier: MIT
"""Faults, races and undefined values: found exactly, and never where there are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.trace import AccessKind, Space, Trace, ViolationKind


def floats(count: int) -> Array:
    return np.arange(count, dtype=np.float32)


def only(trace: Trace) -> ViolationKind:
    (kind,) = {violation.kind for violation in trace.violations}
    return kind


# Bounds -----------------------------------------------------------------------------------------

WILD = {
    "near": "x[n + 5] = 1.0f;",
    "far": "x[n + 300000000] = 1.0f;",
    "before": "x[-1000000] = 1.0f;",
    "null": "*(float *)0 = 1.0f;",
    "anywhere": "*(float *)0x0a3456789000ull = 1.0f;",  # below every window of the engine
}


@pytest.mark.parametrize("name", WILD)
def test_a_wild_store_is_contained_and_named(lab: Any, name: str) -> None:
    text = f"""__global__ void k(float *x, int n) {{
    if (threadIdx.x == 3) {WILD[name]}
    x[threadIdx.x] = 7.0f;
}}"""
    trace = lab.trace(text, (1,), (32,), x=floats(64), n=np.int32(64))
    (violation,) = trace.violations
    assert violation.kind is ViolationKind.OUT_OF_BOUNDS
    assert (violation.line, violation.thread.thread.x, violation.access) == (2, 3, AccessKind.WRITE)
    assert violation.array == ("" if name in {"null", "anywhere"} else "x")
    assert (trace.oob_threads, trace.oob_writes, trace.oob_reads) == (1, 1, 0)


@pytest.mark.parametrize("name", ["near-page", "far", "null"])
def test_a_plain_run_fails_as_on_a_gpu_and_the_next_one_works(lab: Any, name: str) -> None:
    store = {"near-page": "x[n + 2000] = 1.0f;", **WILD}[name]
    text = (
        f"__global__ void k(float *x, int n) {{\n if (n == 64) {store}\n x[threadIdx.x] = 7.0f;\n}}"
    )
    with pytest.raises(LaunchError, match="line 2"):
        lab.run(text, (1,), (32,), x=floats(64), n=np.int32(64))
    out = lab.run(text, (1,), (32,), x=floats(63), n=np.int32(63)).arrays["x"]
    assert out[:32].tolist() == [7.0] * 32


def test_a_stray_never_reaches_another_array(lab: Any) -> None:
    text = """__global__ void k(float *x, float *y, int by) {
    x[threadIdx.x + by] = 9.0f;
    y[threadIdx.x] = 1.0f;
}"""
    for by in (64, 4096, 1 << 22, 1 << 28):
        launch = {"x": floats(64), "y": floats(64), "by": np.int32(by)}
        trace = lab.trace(text, (1,), (64,), **launch)
        assert trace.oob_writes == 64
        assert trace.coverage["y"].multi_writer == 0


def test_strays_in_shared_memory(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    __shared__ float a[32], b[32];
    int i = threadIdx.x;
    b[i] = x[i];
    a[i + 1] = x[i];
    __syncthreads();
    x[i] = b[i] + a[i ? i : 1];
}"""
    trace = lab.trace(text, (1,), (32,), x=floats(32))
    (violation,) = trace.violations
    assert (violation.space, violation.array, violation.index) == (Space.SHARED, "a", 32)
    assert (violation.line, violation.thread.thread.x) == (5, 31)


def test_a_copied_vector_has_the_line_where_it_is_read(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    float4 v = *reinterpret_cast<float4 *>(x + threadIdx.x + 1);
    x[threadIdx.x] = v.x;
}"""
    trace = lab.trace(text, (1,), (1,), x=floats(64))
    (violation,) = trace.violations
    assert (violation.kind, violation.line) == (ViolationKind.MISALIGNED, 2)


def test_a_member_of_a_structure_in_a_loop_has_its_line(lab: Any) -> None:
    text = """struct Body { float3 p, v; float m; };
__global__ void k(Body *b, int n) {
    int i = threadIdx.x;
    float f = 0;
    for (int j = 0; j < n; ++j)
        f += b[j].p.x - b[i].p.x;
    b[i].p.x += f;
}"""
    trace = lab.trace(text, (1,), (8,), b=floats(56), n=np.int32(8))
    assert {(race.line, race.other_line) for race in trace.races} == {(7, 6)}
    assert all(site.line for site in trace.sites)


@pytest.mark.parametrize("flags", ["", "x[threadIdx.x] += 1;"])
def test_a_trap_names_its_line(lab: Any, flags: str) -> None:
    text = f"""__global__ void k(float *x) {{
    if (x[threadIdx.x] > 4)
        __trap();
    {flags}
}}"""
    (violation,) = lab.trace(text, (1,), (8,), x=floats(8)).violations
    assert (violation.kind, violation.line, violation.threads) == (ViolationKind.TRAP, 3, 3)
    with pytest.raises(LaunchError, match="executed a trap in line 3"):
        lab.run(text, (1,), (8,), x=floats(8))


def test_a_misaligned_vector_access(lab: Any) -> None:
    text = "__global__ void k(float *x) { *(float2 *)(x + 1) = make_float2(1, 2); }"
    assert only(lab.trace(text, (1,), (1,), x=floats(8))) is ViolationKind.MISALIGNED


# Undefined values ---------------------------------------------------------------------------------


def test_values_that_nobody_wrote(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    __shared__ float s[64];
    if (threadIdx.x != 5) s[threadIdx.x] = 1.0f;
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x];
}"""
    trace = lab.trace(text, (3,), (32,), x=floats(32))
    first = trace.violations[0]
    assert (trace.uninitialized_reads, first.kind) == (3, ViolationKind.UNINITIALIZED)
    assert (first.array, first.index, first.line, first.count) == ("s", 5, 5, 3)


# Races -------------------------------------------------------------------------------------------

TILE = """__global__ void k(float *x) {{
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    {sync}
    x[i] = s[{other}];
}}"""


@pytest.mark.parametrize(
    ("sync", "other", "races"),
    [
        ("__syncthreads();", "63 - i", False),
        ("", "63 - i", True),
        ("", "i", False),
        ("__syncwarp();", "i ^ 1", False),
        ("__syncwarp();", "63 - i", True),
        ("", "i ^ 1", True),
    ],
)
def test_races_in_shared_memory(lab: Any, sync: str, other: str, races: bool) -> None:
    trace = lab.trace(TILE.format(sync=sync, other=other), (1,), (64,), x=floats(64))
    found = {(race.space, race.array) for race in trace.races if race.space is Space.SHARED}
    assert found == ({(Space.SHARED, "s")} if races else set())
    if races:
        assert {(race.line, race.other_line) for race in trace.races} == {(4, 6)}


def test_the_order_of_the_accesses_does_not_matter(lab: Any) -> None:
    for reader in (0, 63):
        text = f"""__global__ void k(float *x) {{
    __shared__ float s[1];
    if (threadIdx.x == {reader}) x[0] = s[0];
    if (threadIdx.x == {63 - reader}) s[0] = 1.0f;
}}"""
        (race,) = lab.trace(text, (1,), (64,), x=floats(1)).races
        assert {race.line, race.other_line} == {3, 4}


BLOCKS = {
    "x[blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x];": True,
    "x[blockIdx.x] += 1.0f;": False,
    "x[0] = 1.0f;": False,
    "x[0] = blockIdx.x;": True,
    "atomicAdd(&x[0], 1.0f);": False,
    "atomicAdd(&x[0], 1.0f); if (blockIdx.x == 2) x[0] = 0.0f;": True,
}


@pytest.mark.parametrize("statement", BLOCKS)
@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_races_across_blocks(lab: Any, statement: str, waits: str) -> None:
    text = f"__global__ void k(float *x) {{ {waits} if (threadIdx.x == 0) {{ {statement} }} }}"
    trace = lab.trace(text, (8,), (32,), x=floats(8))
    assert bool(trace.races) == BLOCKS[statement]


def test_threads_of_a_block_race_in_global_memory_only_without_a_barrier(lab: Any) -> None:
    for sync in ("", "__syncthreads();"):
        text = f"""__global__ void k(float *x, float *y) {{
    __syncthreads();
    x[threadIdx.x] = 1.0f;
    {sync}
    y[threadIdx.x] = x[63 - threadIdx.x];
}}"""
        assert bool(lab.trace(text, (1,), (64,), x=floats(64), y=floats(64)).races) == (not sync)


def test_several_writers_are_counted(lab: Any) -> None:
    text = "__global__ void k(int *x) { x[(blockIdx.x * blockDim.x + threadIdx.x) / 2] = 1; }"
    for _ in range(3):
        cover = lab.trace(text, (40,), (64,), x=np.zeros(1300, np.int32)).coverage["x"]
        assert (cover.multi_writer, cover.uncovered) == (1280, 20)
        assert set(cover.writes.tolist()) == {2, 0}
        np.testing.assert_array_equal(cover.owner[:1280], np.arange(1280) * 2 + 1)


# Barriers, asserts, stacks ------------------------------------------------------------------------


def test_a_barrier_that_some_never_reach(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    if (threadIdx.x < 40) {
        x[threadIdx.x] = 1.0f;
        __syncthreads();
    }
}"""
    trace = lab.trace(text, (2,), (64,), x=floats(64))
    assert trace.barrier_divergence == 2 * 24
    assert (trace.violations[0].kind, trace.violations[0].line) == (
        ViolationKind.BARRIER_DIVERGENCE,
        4,
    )


def test_two_barriers_are_not_one(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    x[threadIdx.x] = 1.0f;
}"""
    assert only(lab.trace(text, (1,), (64,), x=floats(64))) is ViolationKind.BARRIER_DIVERGENCE


def test_a_shuffle_that_some_never_reach_ends(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    float v = x[threadIdx.x];
    if (threadIdx.x < 16) { v += __shfl_down_sync(~0u, v, 8); __syncthreads(); }
    else { __syncthreads(); }
    x[threadIdx.x] = v;
}"""
    assert lab.trace(text, (1,), (32,), x=floats(32)).barrier_divergence > 0


def test_a_ballot_and_a_warp_barrier_are_no_meeting(lab: Any) -> None:
    text = """__global__ void k(unsigned *x) {
    unsigned b = 0;
    if (threadIdx.x % 2 == 0)
        b = __ballot_sync(~0u, threadIdx.x > 8);
    __syncwarp();
    x[threadIdx.x] = b;
}"""
    trace = lab.trace(text, (1,), (32,), x=np.zeros(32, np.uint32))
    (violation,) = trace.violations
    assert (violation.kind, violation.line) == (ViolationKind.WARP_DIVERGENCE, 4)
    assert trace.barrier_divergence == 16


LANES = {
    "if (i >= 20) return; SUM(0xffffffff, 16) x[i] = v;": True,
    "if (i < 16) { SUM(0xffff, 8) if (i == 0) x[0] = v; }": False,
    "if (i < 16) { SUM(0xffff, 8) x[i] = v; }": True,
    "SUM(0xffffffff, 16) x[i] = v;": False,
}


@pytest.mark.parametrize("body", LANES)
def test_a_shuffle_from_a_lane_that_is_not_there_is_told_where_it_shows(
    lab: Any, body: str
) -> None:
    text = f"""#define SUM(m, w) for (int d = w; d; d /= 2) v += __shfl_down_sync(m, v, d);
__global__ void k(float *x) {{
    int i = threadIdx.x;
    float v = x[i];
    {body}
}}"""
    violations = lab.trace(text, (1,), (32,), x=floats(32)).violations
    assert bool(violations) == LANES[body]
    assert all((v.kind, v.line) == (ViolationKind.ABSENT_LANE, 5) for v in violations)


def test_a_loop_that_has_left_its_array_is_given_up(lab: Any) -> None:
    text = """__global__ void k(float *x, unsigned n) {
    for (unsigned i = n - 1; i >= 0; --i)
        x[i] = i;
}"""
    trace = lab.trace(text, (1,), (1,), x=floats(8), n=np.uint32(8))
    assert trace.oob_threads == 1
    assert trace.oob_writes > 1_000_000
    assert trace.violations[0].index == 2**32 - 1


def test_what_is_stored_through_a_cast_of_a_const_pointer_is_seen(lab: Any) -> None:
    text = """__global__ void k(float *y, const float *x) {
    int i = threadIdx.x;
    y[i] = x[63 - i];
    ((float *)x)[i] = 0.0f;
}"""
    seen = lab.trace(text, (1,), (64,), y=floats(64), x=floats(64))
    assert {race.array for race in seen.races} == {"x"}


def test_a_failed_assertion(lab: Any) -> None:
    text = (
        "__global__ void k(int *x) {\n    assert(x[threadIdx.x] < 40);\n    x[threadIdx.x] = 0;\n}"
    )
    x = np.arange(64, dtype=np.int32)
    (violation,) = lab.trace(text, (1,), (64,), x=x).violations
    assert (violation.kind, violation.line, violation.count) == (ViolationKind.ASSERT, 2, 24)
    assert violation.thread.thread == Dim3(40, 0, 0)
    assert str(violation.detail) == "x[threadIdx.x] < 40"
    with pytest.raises(LaunchError, match=r"x\[threadIdx.x\] < 40 in line 2"):
        lab.run(text, (1,), (64,), x=x)


@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_a_stack_that_overflows(lab: Any, waits: str) -> None:
    text = f"""
    __device__ int deep(int n, int *x) {{
        int a[64];
        for (int i = 0; i < 64; ++i) a[i] = x[i & 3] + n;
        return n ? deep(n - 1, x) + a[n & 63] : a[0]; }}
    __global__ void k(int *x, int n) {{ {waits} x[threadIdx.x] = deep(n, x); }}"""
    x = np.zeros(4, np.int32)
    with pytest.raises(LaunchError, match="Stack overflow in line 4"):
        lab.run(text, (1,), (4,), x=x, n=np.int32(10_000_000))
    kinds = {v.kind for v in lab.trace(text, (1,), (4,), x=x, n=np.int32(10_000_000)).violations}
    assert ViolationKind.STACK_OVERFLOW in kinds


def test_twenty_kilobytes_of_locals_are_no_fault(lab: Any) -> None:
    text = """__global__ void k(int *x, int n) {
        int a[5000];
        for (int i = 0; i < n; ++i) a[i] = i;
        __syncthreads();
        int s = 0;
        for (int i = 0; i < n; ++i) s += a[(i * 7 + threadIdx.x) % n];
        x[threadIdx.x] = s;
    }"""
    out = lab.both(text, (1,), (256,), x=np.zeros(256, np.int32), n=np.int32(5000)).arrays["x"]
    assert out[0] == sum(range(5000))


def test_division_by_zero_ends_neither_the_launch_nor_the_process(lab: Any) -> None:
    text = "__global__ void k(int *x, int n) {\n    x[threadIdx.x] = 7 / (x[threadIdx.x] - n);\n}"
    outputs = lab.run(text, (1,), (4,), x=np.arange(4, dtype=np.int32), n=np.int32(2))
    assert outputs.arrays["x"].tolist() == [-3, -7, -1, 7]


# Logs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_a_long_thread_is_seen_to_its_end(lab: Any, waits: str) -> None:
    text = f"""__global__ void k(float *o, const float *a, int n) {{
    {waits}
    float s = 0;
#pragma unroll 1
    for (int i = 0; i < n + (int)threadIdx.x * 3; ++i) s += a[i % 64];
    o[threadIdx.x] = s;
}}"""
    arguments = {"o": floats(40), "a": floats(64), "n": np.int32(3000)}
    trace = lab.trace(text, (2,), (40,), **arguments)
    reads = 2 * sum(3000 + 3 * i for i in range(40))
    site = next(s for s in trace.sites if s.array == "a")
    assert (trace.accesses, site.active_lanes) == (reads + 80, reads)
    warps = [3000 + 3 * 31, 3000 + 3 * 39]
    assert site.requests == 2 * sum(warps)


# What the compiler makes one instruction of -------------------------------------------------------

STRETCHES = """struct Five { float a, b, c, d, e; };
__global__ void k(Five *o, const Five *a, float *z, int *s, const int *v, int n) {
    int i = threadIdx.x;
    o[i] = a[i];
    for (int j = 0; j < n; ++j) z[i * 64 + j] = 0.0f;
    int t = 0;
    for (int j = 0; j < 64; ++j) t += v[j];
    s[i] = t;
}"""


def test_copied_structures_cleared_memory_and_sums_are_seen_word_by_word(lab: Any) -> None:
    v = np.arange(64, dtype=np.int32)
    arrays = {"o": floats(160).reshape(32, 5), "a": floats(160).reshape(32, 5), "z": floats(2048)}
    s = np.zeros(32, np.int32)
    trace = lab.trace(STRETCHES, (1,), (32,), **arrays, s=s, v=v, n=np.int32(64))
    counted = {(s.line, s.array, s.kind, s.requests, s.active_lanes) for s in trace.sites}
    read, write = AccessKind.READ, AccessKind.WRITE
    assert counted == {
        (4, "a", read, 5, 160),
        (4, "o", write, 5, 160),
        (5, "z", write, 64, 2048),
        (7, "v", read, 64, 2048),
        (8, "s", write, 1, 32),
    }
    assert {cover.uncovered for cover in trace.coverage.values()} == {0}
    assert trace.violations == ()


def test_a_copy_or_fill_that_goes_too_far_is_named(lab: Any) -> None:
    arrays = {"o": floats(150), "a": floats(160), "z": floats(2048)}
    s, v = np.zeros(32, np.int32), np.zeros(64, np.int32)
    trace = lab.trace(STRETCHES, (1,), (32,), **arrays, s=s, v=v, n=np.int32(65))
    found = {(v.line, v.array, v.index, v.count, v.thread.thread.x) for v in trace.violations}
    assert found == {(4, "o", 150, 10, 30), (5, "z", 2048, 1, 31)}


LEAVES_OUT = (
    "__syncwarp(0xfffffff7u);",
    "x[i] = __shfl_sync(0xfffffff7u, x[i], 0);",
    "x[i] = __ballot_sync(0xfffffff7u, i > 2);",
    "x[i] = __reduce_add_sync(0xfffffff7u, (unsigned)i);",
)


@pytest.mark.parametrize("call", LEAVES_OUT)
def test_a_mask_without_the_caller_is_reported(lab: Any, call: str) -> None:
    text = f"""__global__ void k(float *x) {{
    int i = threadIdx.x;
    __syncwarp();
    if (i < 8)
        {call}
    x[i] = 1.0f;
}}"""
    found = lab.trace(text, (1,), (64,), x=floats(64)).violations
    (told,) = (v for v in found if v.kind is ViolationKind.LEFT_OUT)
    assert (told.line, told.thread.thread.x, told.threads) == (5, 3, 1)


@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_a_thread_may_have_as_much_local_memory_as_on_a_gpu(lab: Any, waits: str) -> None:
    text = f"""__global__ void k(float *x) {{
    volatile float own[125000];
    own[0] = x[threadIdx.x];
    own[124999] = 2.0f;
    {waits}
    x[threadIdx.x] = own[0] + own[124999];
}}"""
    given = {"x": np.arange(64, dtype=np.float32)}
    for outputs in (
        lab.run(text, (1,), (64,), **given),
        lab.engine.trace(lab.compile(text), lab.launch((1,), (64,)), given).outputs,
    ):
        assert (outputs.arrays["x"] == given["x"] + 2).all()
