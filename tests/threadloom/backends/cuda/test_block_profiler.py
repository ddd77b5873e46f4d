# SPDX-License-Identifier: MIT
"""What is made of the records of a launch."""

from __future__ import annotations

import numpy as np
import pytest

from threadloom.backends.base import CompileError
from threadloom.backends.cuda import block_profiler as recording
from threadloom.backends.cuda.block_profiler import Recording, measured_timeline, stride_shift
from threadloom.backends.cuda.instrumented_source import Clock, chosen
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


def timeline(
    found: Array, blocks: int, *, stride: int = 1, per_sm: int = 2, warps: bool = True
) -> BlockTimeline:
    return measured_timeline(
        found,
        Launch(Dim3(blocks), Dim3(64)),
        stride=stride,
        sm_count=2,
        blocks_per_sm=per_sm,
        kernel_s=5e-6,
        slowed=0.01,
        warps=warps,
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
    assert found.most_warps_resident == 2
    assert timeline(rows, 2, warps=False).most_warps_resident is None


def test_a_place_that_a_warp_leaves_counts_as_free_for_warps_and_not_for_blocks() -> None:
    rows = records([(0, 10, 0), (0, 90, 0), (10, 50, 0), (10, 40, 0)]).reshape(2, 2)
    found = timeline(rows, 2, per_sm=1)
    assert found.most_resident == 2
    assert found.most_warps_resident == 3


def test_times_that_pass_the_end_of_their_bits_stay_in_order() -> None:
    top = 2**32
    times = np.array([[[top - 64, 32]], [[0, 64]], [[top - 96, top - 32]]], dtype=np.uint32)
    found = timeline(recording.joined(times, np.zeros(3, dtype=np.uint32)), 3)
    assert found.start_s == pytest.approx([32e-9, 96e-9, 0], abs=1e-15)
    assert found.end_s == pytest.approx([128e-9, 160e-9, 64e-9], abs=1e-15)


def test_a_warp_without_a_record_is_refused_and_not_shown_as_zero() -> None:
    times = np.array([[[64, 96], [0, 0]]], dtype=np.uint32)
    with pytest.raises(CompileError, match="cannot be recorded"):
        recording.joined(times, np.zeros(1, dtype=np.uint32))


@pytest.mark.parametrize(("blocks", "shift"), [(1, 3), (9, 2), (1000, 3), (4097, 5), (4096, 5)])
def test_one_block_of_each_group_is_chosen_also_of_a_last_one_that_is_not_whole(
    blocks: int, shift: int
) -> None:
    gpu = Memory()
    room = Recording(gpu, gpu, Launch(Dim3(blocks), Dim3(64)), Clock())
    room.sample(shift)
    odd = int(gpu.constant["odd"][0])
    mask = (1 << shift) - 1
    found = [
        block >> shift
        for block in range(blocks)
        if block & mask == chosen(block >> shift, shift)
        or (block >> shift == odd and not block & mask)
    ]
    assert found == list(range(room.entries))


@pytest.mark.parametrize(
    ("costs", "blocks", "shift"),
    [([0.05], 10**5, 0), ([0.3, 0.15, 0.07], 10**5, 2), ([0.3] * 9, 10**5, 3), ([0.3], 4000, 0)],
)
def test_fewer_blocks_are_recorded_while_that_costs_much_and_enough_are_left(
    costs: list[float], blocks: int, shift: int
) -> None:
    gpu, told = Memory(), iter(costs)
    room = Recording(gpu, gpu, Launch(Dim3(blocks), Dim3(64)), Clock())
    found = recording.thin_out(room, 1056, lambda: next(told))
    assert room.shift == shift
    assert found == costs[min(shift, len(costs) - 1)]


class Memory:
    """Takes what `Recording` puts on a GPU."""

    def mem_alloc(self, size: int) -> int:
        return size

    def get_global(self, _name: str) -> tuple[int, int]:
        return 0, 28

    def memset_d32(self, _place: int, _value: int, _count: int) -> None:
        pass

    def memcpy_htod(self, _place: int, values: Array) -> None:
        self.constant = values


@pytest.mark.parametrize(
    ("blocks", "warps", "stride"),
    [(1, 1, 1), (1 << 21, 1, 1), ((1 << 21) + 1, 1, 2), (1 << 24, 1, 8), (1 << 18, 32, 4)],
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
