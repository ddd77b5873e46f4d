# SPDX-License-Identifier: MIT
"""The threads that a race names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.model.trace import Space

BODIES = (
    "c[i] = 1.0f + threadIdx.y;",
    "c[0] += 1.0f;",
    "for (int r = 0; r < 3; ++r) { c[i % 2] = 1.0f; c[0] += c[1]; }",
    "atomicAdd(&c[0], 1.0f); c[0] = 2.0f;",
    "if (threadIdx.y == 1 || threadIdx.y == 3) c[0] = c[0] + 1.0f;",
)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_a_race_is_between_two_different_threads(lab: Any, body: str, waits: str) -> None:
    text = f"__global__ void k(float *c) {{ {waits} int i = threadIdx.x; {body} }}"
    for block in ((5, 5), (40, 4)):
        races = lab.trace(text, (2,), block, c=np.zeros(64, np.float32)).races
        assert races
        assert all(race.threads[0] != race.threads[1] for race in races)


def test_a_race_behind_a_warps_barrier_names_who_is_not_ordered(lab: Any) -> None:
    text = """__global__ void k(float *x) {
    __shared__ float s[1];
    int i = threadIdx.x;
    if (i == 0) s[0] = 1.0f;
    __syncwarp();
    if (i == 7 || i == 9) s[0] = i;
    __syncwarp();
    x[i] = s[0];
}"""
    (race,) = lab.trace(text, (1,), (32,), x=np.zeros(32, np.float32)).races
    assert {thread.thread.x for thread in race.threads} == {7, 9}
    assert (race.line, race.other_line) == (6, 6)


SAME_VALUE = {
    "if (x[i] > 3.0f) found[0] = 1;": False,
    "found[0] = i % 2;": True,
    "found[0] = i == 40;": True,
    "found[i / 2] = 7 + i / 2;": False,
    "if (found[0] == 0) found[0] = 1;": True,
    "found[0] = 1; atomicAdd(&found[0], 1);": True,
}
"""What 64 threads do to an array of zeros, and whether it is a race."""


@pytest.mark.parametrize("statement", SAME_VALUE)
@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
@pytest.mark.parametrize("blocks", [1, 4])
def test_threads_that_store_the_same_value_do_not_race(
    lab: Any, statement: str, waits: str, blocks: int
) -> None:
    text = f"""__global__ void k(int *found, const float *x) {{
    {waits} int i = threadIdx.x;
    {statement}
}}"""
    found, x = np.zeros(64, np.int32), np.arange(64, dtype=np.float32)
    trace = lab.trace(text, (blocks,), (64,), found=found, x=x)
    assert bool(trace.races) == SAME_VALUE[statement]


SHARED = {
    "if (i == 0) any[0] = 0; __syncthreads(); if (i % 3 == 0) any[0] = 1;": False,
    "any[0] = 0; __syncthreads(); any[0] = i < 60;": True,
    "for (int r = 1; r < 4; ++r) { any[0] = r; __syncthreads(); }": False,
    "if (i == 0) any[0] = 0; if (i % 3 == 1) any[0] = 1;": True,
}


@pytest.mark.parametrize("statement", SHARED)
def test_a_flag_in_shared_memory_may_be_set_by_all(lab: Any, statement: str) -> None:
    text = f"""__global__ void k(int *out) {{
    __shared__ int any[1];
    int i = threadIdx.x;
    {statement}
    __syncthreads();
    out[i] = any[0];
}}"""
    trace = lab.trace(text, (2,), (64,), out=np.zeros(64, np.int32))
    assert any(race.space is Space.SHARED for race in trace.races) == SHARED[statement]


def test_a_race_of_an_atomic_with_a_store_names_both_lines(lab: Any) -> None:
    text = """__global__ void k(int *x) {
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    atomicAdd(&total, 1);
    __syncthreads();
    x[threadIdx.x] = total;
}"""
    (race,) = lab.trace(text, (1,), (64,), x=np.zeros(64, np.int32)).races
    assert {race.line, race.other_line} == {4, 5}
