# SPDX-License-Identifier: MIT
"""Reconvergence: which lanes share a request, by known answers and a model of random kernels."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.threadloom.backends.emulator.engine.tracer.warps.random_kernels import Kernel

from threadloom.model.trace import Trace


def requests(trace: Trace) -> dict[int, tuple[int, int]]:
    """Requests and lanes by line."""
    found: dict[int, tuple[int, int]] = {}
    for site in trace.sites:
        count, lanes = found.get(site.line, (0, 0))
        found[site.line] = count + site.requests, lanes + site.active_lanes
    return found


def test_lanes_are_together_turn_by_turn_and_behind_the_loop(lab: Any) -> None:
    text = """__global__ void k(volatile int *o, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < n; ++i)
        if ((t + i) % 3 == 0)
            o[t] = i;
    for (int i = 0; i < t % 8; ++i)
        o[t] = i;
    o[t] = n;
}"""
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.int32), n=np.int32(6))
    ours = sum((t + i) % 3 == 0 for t in range(32) for i in range(6))
    assert requests(trace) == {5: (6, ours), 7: (7, 4 * sum(range(8))), 8: (1, 32)}


def test_a_store_on_the_way_out_is_made_in_its_turn(lab: Any) -> None:
    text = """__global__ void k(volatile int *o, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < n; ++i) {
        o[t] = i;
        if (i == t % 4) {
            o[t] = 7;
            break;
        }
        o[t] = i;
    }
    o[t] = n;
}"""
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.int32), n=np.int32(9))
    assert requests(trace) == {4: (4, 80), 6: (4, 32), 9: (3, 48), 11: (1, 32)}


def test_functions_that_are_called_and_recursion(lab: Any) -> None:
    text = """__device__ __noinline__ void put(volatile int *o, int i) {
    o[i] = i;
}
__device__ __noinline__ void down(volatile int *o, int t, int n) {
    o[t] = n;
    if (n < t % 4) down(o, t, n + 1);
    o[t + 32] = n;
}
__global__ void k(volatile int *o) {
    int t = threadIdx.x;
    if (t < 16) put(o, t);
    put(o, t + 32);
    for (int i = 0; i < t % 2 + 1; ++i) put(o, t);
    down(o, t, 0);
}"""
    trace = lab.trace(text, (1,), (32,), o=np.zeros(64, np.int32))
    assert requests(trace) == {2: (4, 16 + 32 + 32 + 16), 5: (4, 80), 7: (4, 80)}
    (branch,) = [b for b in trace.branches if b.line == 6]
    assert (branch.executed, branch.diverged) == (4, 3)


def test_a_wait_within_a_branch_does_not_keep_lanes_apart(lab: Any) -> None:
    text = """__global__ void k(volatile int *o) {
    int t = threadIdx.x;
    if (t < 16) {
        o[t] = 1;
        __syncwarp(0xffff);
        o[t] = 2;
    }
    o[t] = 3;
    __syncthreads();
    if (t % 2) o[t] = 4;
    __syncthreads();
    o[t] = 5;
}"""
    trace = lab.trace(text, (1,), (64,), o=np.zeros(64, np.int32))
    assert requests(trace) == {4: (1, 16), 6: (1, 16), 8: (2, 64), 10: (2, 32), 12: (2, 64)}


def test_a_long_divergent_loop_whose_logs_are_read_in_parts(lab: Any) -> None:
    text = """__global__ void k(volatile int *o, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < n * (t % 3 + 1); ++i) {
        o[t] = i;
        if (i % 3 == t % 3)
            o[t] = i;
    }
    o[t] = n;
}"""
    trace = lab.trace(text, (1,), (32,), o=np.zeros(32, np.int32), n=np.int32(700))
    lanes = 700 * sum(t % 3 + 1 for t in range(32))
    found = requests(trace)
    assert found[4] == (2100, lanes)
    assert found[6][0] == sum(i < 700 * (i % 3 + 1) for i in range(2100))
    assert found[8] == (1, 32)


@pytest.mark.parametrize("barriers", [False, True])
@pytest.mark.parametrize("seed", [4, 6, 17, 22])
def test_random_kernels_behave_as_the_model(lab: Any, seed: int, barriers: bool) -> None:
    kernel = Kernel(seed, barriers)
    wanted = kernel.run(seed, warps=2)
    bounds = {f"m{most}": np.uint32(most) for most in (1, 3, 7)}
    trace = lab.trace(kernel.text, (1,), (64,), o=np.zeros(64, np.int32), **bounds)
    assert requests(trace) == {
        line: (wanted.requests[line], wanted.lanes[line]) for line in wanted.requests
    }
    seen = {b.line: (b.executed, b.diverged) for b in trace.branches}
    assert seen == {
        line: (wanted.executed[line], +wanted.diverged[line]) for line in wanted.executed
    }
    assert Counter(wanted.executed).total() > 0
