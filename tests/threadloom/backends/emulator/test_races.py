# SPDX-License-Identifier: MIT
"""Whom a race names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

BODIES = (
    "c[i] = 1.0f;",
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
