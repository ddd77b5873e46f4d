# SPDX-License-Identifier: MIT
"""Divergence: how often warps execute a branch and how often they diverge there."""

from __future__ import annotations

from typing import Any

import numpy as np

from threadloom.model.trace import Trace


def branches(trace: Trace) -> dict[int, tuple[int, int]]:
    """Executed and diverged, by line."""
    return {branch.line: (branch.executed, branch.diverged) for branch in trace.branches}


def traced(lab: Any, text: str, grid: int = 1, block: int = 64) -> dict[int, tuple[int, int]]:
    n = 1024
    arrays = {"a": np.arange(n, dtype=np.int32), "o": np.zeros(n, np.int32), "n": np.int32(n)}
    return branches(lab.trace(text, (grid,), (block,), **arrays))


def test_conditions_on_the_thread(lab: Any) -> None:
    text = """__global__ void k(const int *a, volatile int *o, int n) {
    int t = threadIdx.x;
    if (t % 2)
        o[t] = a[t];
    if (t < 16)
        o[t] = 1;
    else
        o[t] = a[t + 1];
    if (t & 32) o[t] = 1; else o[t] = 2;
    if (t < 40 && a[t] > 20)
        o[t] = 3;
}"""
    found = traced(lab, text)
    assert found == {3: (2, 2), 5: (2, 1), 9: (2, 0), 10: (4, 2)}


def test_what_all_lanes_share_is_no_divergence_and_a_choice_no_branch(lab: Any) -> None:
    text = """__global__ void k(const int *a, int *o, int n) {
    int t = threadIdx.x;
    if (n > 5) o[t] = a[t];
    if (blockIdx.x == 0) o[t] = a[t + 2];
    for (int i = 0; i < n; i += 64) o[t + 64] += a[i];
    o[t] = t % 2 ? 5 : 7;
}"""
    assert traced(lab, text, grid=2) == {}


def test_loops_of_uneven_length(lab: Any) -> None:
    text = """__global__ void k(const int *a, volatile int *o, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < a[t] % (n / 200); ++i)
        o[t] = i;
    for (int i = t; i < n - 10; i += 64)
        o[i] = i;
    int x = t;
    while (x > 1)
        x = x % 2 ? 3 * x + 1 : x / 2;
    o[t] = x;
}"""
    found = traced(lab, text)
    assert found[3] == (2 * 5, 2 * 4)
    assert found[5] == (2 * 17, 1), "the last ten threads go round once less"
    assert found[8] == collatz(range(32)) + collatz(range(32, 64))


class Pair(tuple[int, int]):
    """Two counts that are added one by one."""

    __slots__ = ()

    def __add__(self, other: tuple[int, ...]) -> Pair:  # type: ignore[override]
        return Pair((self[0] + other[0], self[1] + other[1]))


def collatz(threads: range) -> Pair:
    """What a warp does in the last loop above."""
    live, executed, diverged = list(threads), 0, 0
    while live:
        stay = [x for x in live if x > 1]
        executed += 1
        diverged += 0 < len(stay) < len(live)
        live = [3 * x + 1 if x % 2 else x // 2 for x in stay]
    return Pair((executed, diverged))


def test_early_returns_and_a_switch(lab: Any) -> None:
    text = """__global__ void k(const int *a, volatile int *o, int n) {
    int t = threadIdx.x;
    if (t >= 40) return;
    o[t] = a[t];
    switch (t % 4) {
    case 0: o[t] = a[t]; break;
    case 1: o[t] = 3 * a[t + 1]; break;
    case 2: o[t] = 7; o[t + 64] = 8; break;
    default: o[t] = t / 3;
    }
    if (t & 1) return;
    o[t + 64] = 1;
}"""
    assert traced(lab, text) == {3: (2, 1), 5: (2, 2), 11: (2, 2)}


def test_the_guard_of_an_array_costs_no_entry(lab: Any) -> None:
    text = """__global__ void k(const int *a, int *o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1000) o[i] = a[i];
}"""
    compiled = lab.compile(text)
    flow = compiled.handle.binary.flow
    assert [site.line for site in flow.sites] == [0, 0, 3, 3], (
        "a thread's begin and end, two accesses"
    )
    assert traced(lab, text, grid=2) == {3: (4, 1)}


def test_barriers_between(lab: Any) -> None:
    text = """__global__ void k(const int *a, int *o, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}"""
    assert traced(lab, text, grid=2) == {7: (2 * 2 * 6, 2 * 5), 11: (4, 2)}
