# SPDX-License-Identifier: MIT
"""Cooperative launches, whose blocks wait for each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import LaunchError

TEXT = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a, float *b, int steps) {
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), n = (int)grid.size();
    for (int s = 0; s < steps; ++s) {
        b[i] = (a[(i + 1) % n] + a[(i + n - 1) % n]) / 2;
        grid.sync();
        a[i] = b[i];
        cg::sync(grid);
    }
}
__global__ void ranks(unsigned long long *o) {
    auto grid = cg::this_grid();
    o[grid.thread_rank()] = grid.size() * 1000 + grid.block_rank() * 10 + grid.num_blocks();
}
"""


def test_all_blocks_wait_for_each_other(lab: Any) -> None:
    a = np.random.default_rng(1).random(256).astype(np.float32)
    wanted = a.copy()
    for _step in range(20):
        wanted = (np.roll(wanted, -1) + np.roll(wanted, 1)) / np.float32(2)
    out = lab.both(TEXT, (8,), (32,), a=a, b=np.zeros_like(a), steps=np.int32(20)).arrays["a"]
    np.testing.assert_array_equal(out, wanted)


def test_more_blocks_than_run_at_once_are_rejected(lab: Any) -> None:
    a = np.zeros(132 * 256, np.float32)
    with pytest.raises(LaunchError, match=r"64 blocks with 16,384 threads.*132 with 33,792"):
        lab.run(TEXT, (132,), (256,), a=a, b=a.copy(), steps=np.int32(1))


def test_ranks_in_the_grid_need_no_such_launch(lab: Any) -> None:
    out = lab.both(TEXT, (100, 2), (8,), entry="ranks", o=np.zeros(1600, np.uint64)).arrays["o"]
    assert out.tolist() == [1600 * 1000 + i // 8 * 10 + 200 for i in range(1600)]
