# SPDX-License-Identifier: MIT
"""Device globals: bounds, counters, races, and values that each launch starts from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import CompileError, LaunchError
from threadloom.model.dim3 import Dim3
from threadloom.model.trace import AccessKind, Space, ViolationKind


def floats(count: int) -> Any:
    return np.zeros(count, np.float32)


STRAYS = {
    "__device__ float table[16];": ("x[i] = table[i + AT];", AccessKind.READ),
    "static __device__ float table[16];": ("table[i + AT] = x[i];", AccessKind.WRITE),
    "__device__ float table[4][4];": ("x[i] = (&table[0][0])[i + AT];", AccessKind.READ),
    "__constant__ float table[16] = {1, 2, 3};": ("x[i] = table[i + AT];", AccessKind.READ),
    "static __constant__ const float table[16] = {1, 2};": (
        "x[i] = table[i + AT];",
        AccessKind.READ,
    ),
    "namespace a { __device__ float table[16]; }\nusing a::table;": (
        "atomicAdd(&table[i + AT], 1.0f);",
        AccessKind.ATOMIC,
    ),
}


@pytest.mark.parametrize("declared", STRAYS)
@pytest.mark.parametrize("at", [13, 5000, -5, 400_000_000])
def test_a_stray_is_named_with_array_element_thread_and_line(
    lab: Any, declared: str, at: int
) -> None:
    body, access = STRAYS[declared]
    text = f"""{declared}
__device__ float beside[64];
__global__ void k(float *x) {{
    int i = threadIdx.x; beside[i] = 1.0f;
    if (i == 3) {body.replace("AT", str(at))}
}}"""
    line = 5 + declared.count("\n")
    trace = lab.trace(text, (1,), (32,), x=floats(32))
    (violation,) = trace.violations
    assert violation.kind is ViolationKind.OUT_OF_BOUNDS
    assert (violation.array, violation.index) == ("table", 3 + at)
    assert (violation.access, violation.line) == (access, line)
    assert violation.thread.thread == Dim3(3, 0, 0)
    assert trace.oob_threads == 1
    assert trace.races == ()


def test_what_is_right_stays_right(lab: Any) -> None:
    text = """struct Shape { float scale[4]; int n; };
#define N 8
__constant__ Shape shape = {{1, 2, 3, 4}, 4};
__constant__ float weights[N] = {1, 2, 3};
__device__ const int order[] = {3, 2, 1, 0};
__device__ float *place;
__device__ volatile int flag = 5;
__device__ float table[N], other = 2.0f;
__device__ float scaled(float v, int i) { return v * shape.scale[i % shape.n] * weights[i % 3]; }
__global__ void k(float *x) {
    int i = threadIdx.x;
    if (i < N) table[i] = scaled(1.0f, i);
    if (i == 0) place = table;
    __syncthreads();
    x[i] = table[order[i % 4]] * other + flag + place[1];
}"""
    out = lab.both(text, (1,), (32,), x=floats(32)).arrays["x"]
    table = [[1, 2, 3, 4][i % 4] * [1, 2, 3][i % 3] for i in range(8)]
    assert out.tolist() == [table[[3, 2, 1, 0][i % 4]] * 2 + 5 + table[1] for i in range(32)]


def test_each_launch_starts_from_the_values_in_the_source(lab: Any) -> None:
    text = """__device__ unsigned int calls = 7, zeros[4];
__global__ void k(unsigned *x) { x[threadIdx.x] = atomicAdd(&calls, 1u) + atomicAdd(zeros, 1u); }"""
    x = np.zeros(4, np.uint32)
    for _round in range(3):
        assert sorted(lab.run(text, (1,), (4,), x=x).arrays["x"]) == [7, 9, 11, 13]
        assert lab.trace(text, (1,), (4,), x=x).violations == ()


def test_a_device_array_is_counted_as_global_memory_and_a_constant_one_is_not(lab: Any) -> None:
    text = """__device__ float table[64];
__constant__ float weights[64];
__global__ void k(float *x) {
    int i = threadIdx.x;
    x[i] = table[i * 2] +
           weights[i];
}"""
    trace = lab.trace(text, (1,), (32,), x=floats(32))
    sites = {site.line: site for site in trace.sites if site.kind is AccessKind.READ}
    assert set(sites) == {5}
    assert (sites[5].array, sites[5].space) == ("table", Space.GLOBAL)
    assert (sites[5].requests, sites[5].sectors, sites[5].ideal_sectors) == (1, 8, 4)


def test_races_in_device_variables(lab: Any) -> None:
    text = """__device__ int sum, total;
__global__ void k(int *x) {
    atomicAdd(&total, 1);
    sum += 1;
}"""
    (race,) = {
        (r.array, r.line, r.other_line)
        for r in lab.trace(text, (2,), (32,), x=np.zeros(1, np.int32)).races
    }
    assert race == ("sum", 4, 4)


def test_a_plain_run_stops_at_a_stray(lab: Any) -> None:
    text = """__device__ int table[1024];
__global__ void k(int *x) { table[x[threadIdx.x]] = 1; }"""
    with pytest.raises(
        LaunchError, match=r"access to table\[1,024\]: the array has 1,024 elements"
    ):
        lab.run(text, (1,), (1,), x=np.full(1, 1024, np.int32))
    with pytest.raises(LaunchError, match=r"access to table\[-9,999,999\]"):
        lab.run(text, (1,), (1,), x=np.full(1, -9_999_999, np.int32))


STORES = ("w[2] = 1.0f;", "w[i] += x[0];", "n++;", "(n) = 3;", "p.v = 2;")


@pytest.mark.parametrize("store", STORES)
def test_a_store_to_constant_memory_is_refused_as_nvcc_does(lab: Any, store: str) -> None:
    text = f"""struct P {{ int v, u[2]; }};
__constant__ float w[4]; __constant__ int n; __constant__ P p; __constant__ float *far;
__global__ void k(float *x) {{
    int i = threadIdx.x;
    {store}
    far[0] = w[i] + n;
}}"""
    with pytest.raises(CompileError) as refused:
        lab.compile(text)
    assert [(d.line, str(d.message)) for d in refused.value.diagnostics] == [
        (5, "expression must be a modifiable lvalue")
    ]


def test_a_local_variable_may_have_a_constants_name(lab: Any) -> None:
    text = """__constant__ int n;
__device__ int f() { return n; }
__global__ void k(int *x) { int n = 2; n += 1; x[0] = n + f(); }"""
    assert lab.both(text, (1,), (1,), x=np.zeros(1, np.int32)).arrays["x"].tolist() == [3]


def test_constant_memory_has_a_size(lab: Any) -> None:
    text = "__constant__ float w[20000];\n__global__ void k(float *x) { x[0] = w[3]; }"
    with pytest.raises(CompileError, match="80,000 bytes of constant memory; 65,536 are allowed"):
        lab.compile(text)
