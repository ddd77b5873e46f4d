# SPDX-License-Identifier: MIT
"""What is made of the records of a launch."""

from __future__ import annotations

import numpy as np
import pytest

from threadloom.backends.cuda import recording
from threadloom.backends.cuda.recording import measured_timeline, stride_shift
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline

BEGAN = 1_700_000_000_000_000_000
"""Nanoseconds, as a GPU's clock gives them: floating-point numbers would lose the last digits."""


def records(rows: list[tuple[int, int, int]]) -> Array:
    """Start and end after `BEGAN` in nanoseconds, and SM, one row a block."""
    made = [(BEGAN + start, BEGAN + end, sm) for start, end, sm in rows]
    return np.array(made, dtype=recording._RECORD).reshape(-1, 1)


def timeline(found: Array, blocks: int, *, stride: int = 1, per_sm: int = 2) -> BlockTimeline:
    return measured_timeline(
        found,
        Launch(Dim3(blocks), Dim3(64)),
        stride=stride,
        sm_count=2,
        blocks_per_sm=per_sm,
        kernel_s=5e-6,
        slowed=0.01,
    )


def test_times_begin_with_the_first_block_and_keep_every_step() -> None:
    found = timeline(records([(32, 1056, 0), (0, 992, 1), (64, 1088, 0), (1088, 2112, 1)]), 4)
    assert found.start_s == pytest.approx([32e-9, 0, 64e-9, 1088e-9], abs=1e-15)
    assert found.end_s == pytest.approx([1056e-9, 992e-9, 1088e-9, 2112e-9], abs=1e-15)
    assert found.sm.tolist() == [0, 1, 0, 1]
    assert found.duration_s == pytest.approx(2112e-9)
    assert found.resolution_s == pytest.approx(32e-9)
    assert found.provenance is Provenance.MEASURED
    assert (found.slots, found.waves) == (4, 1)


def test_most_at_once_and_busy_time_by_sm() -> None:
    found = timeline(
        records([(0, 96, 0), (32, 64, 0), (96, 128, 0), (0, 32, 1), (64, 96, 1), (96, 96, 1)]), 6
    )
    assert found.most_resident == 2  # a block that starts as another ends takes its place
    assert found.busy_seconds() == pytest.approx({0: 128e-9, 1: 64e-9})


def test_waves_follow_the_order_of_starts() -> None:
    found = timeline(
        records([(300, 400, 0), (0, 100, 0), (100, 200, 1), (200, 300, 1)]), 4, per_sm=1
    )
    assert found.wave.tolist() == [1, 0, 0, 1]


def test_a_sample_counts_for_the_blocks_between() -> None:
    found = timeline(records([(0, 10, 0), (10, 20, 1)]), 8, stride=4)
    assert found.wave.tolist() == [0, 1]
    assert found.waves == 2


def test_numbers_of_sms_beyond_the_device_are_counted_anew() -> None:
    found = timeline(records([(0, 10, 0), (0, 10, 7)]), 2)
    assert found.sm.tolist() == [0, 1]


def test_warps_have_times_of_their_own_and_a_block_lasts_from_first_to_last() -> None:
    rows = records([(0, 50, 1), (10, 90, 1), (20, 40, 0), (30, 60, 0)]).reshape(2, 2)
    found = timeline(rows, 2)
    assert found.warp_start_s is not None
    assert found.warp_start_s.shape == (2, 2)
    assert found.start_s == pytest.approx([0, 20e-9], abs=1e-15)
    assert found.end_s == pytest.approx([90e-9, 60e-9], abs=1e-15)


@pytest.mark.parametrize(
    ("blocks", "warps", "stride"),
    [(1, 1, 1), (1 << 20, 1, 1), ((1 << 20) + 1, 1, 2), (1 << 24, 1, 16), (1 << 18, 32, 8)],
)
def test_the_stride_keeps_records_below_the_limit(blocks: int, warps: int, stride: int) -> None:
    assert 1 << stride_shift(blocks, warps) == stride
    assert -(-blocks // stride) * warps <= recording.MOST_RECORDS


def test_slowdown_is_by_medians_of_launches_in_turns() -> None:
    taken: list[str] = []
    times = {"plain": iter([9.0, *[1.0] * 8]), "recorded": iter([*[1.1] * 8, 0.1])}

    class Watch:
        def once(self, launch: str) -> float:
            taken.append(launch)
            return next(times[launch])

    slowed = recording.slowdown(Watch(), "plain", "recorded")  # type: ignore[arg-type]
    assert slowed == pytest.approx(0.1)
    assert taken == ["plain", "recorded"] * recording.ROUNDS
