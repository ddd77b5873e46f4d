# SPDX-License-Identifier: MIT
from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources
from threadloom.model.provenance import Provenance
from threadloom.model.schedule import modeled_timeline
from threadloom.model.timeline import BlockTimeline
from threadloom.presentation.figures.timeline_rows import TimelineRows


def rows(results: ModuleType, blocks: int) -> TimelineRows:
    device = results.device()
    launch = Launch(Dim3(blocks), Dim3(1024))
    held = occupancy(device, launch, Resources(registers=12))
    line = modeled_timeline(device, launch, held, 100e-6)
    return TimelineRows(line, device.sm_count)


def test_blocks_of_one_sm_never_share_a_slot(results: ModuleType) -> None:
    made = rows(results, 1000)
    line = made.timeline
    for sm in range(made.sms):
        mine = np.flatnonzero(line.sm == sm)
        for slot in range(made.rows_per_sm):
            lane = mine[made.slot[mine] == slot]
            lane = lane[np.argsort(line.start_s[lane])]
            assert np.all(line.start_s[lane][1:] >= line.end_s[lane][:-1] - 1e-12)
    assert made.rows_per_sm == made.slots_per_sm


def test_counts_the_blocks_that_run(results: ModuleType) -> None:
    made = rows(results, 300)
    slots, waves = made.timeline.slots, made.timeline.waves
    middle = made.in_use(np.array([made.timeline.duration_s / waves / 2]))
    assert middle.tolist() == [slots]
    last = made.in_use(np.array([made.timeline.duration_s * (1 - 0.5 / waves)]))
    assert last.tolist() == [300 - slots * (waves - 1)]


def test_the_tail_is_the_last_wave_where_it_leaves_slots_empty(results: ModuleType) -> None:
    made = rows(results, 300)
    assert made.tail == pytest.approx(made.timeline.duration_s * (1 - 1 / made.timeline.waves))
    assert rows(results, made.timeline.slots * 2).tail is None
    assert rows(results, 5).tail is None


def test_pixels_show_the_wave_of_their_time(results: ModuleType) -> None:
    made = rows(results, 300)
    wave, share = made.pixels(0, made.sms, made.timeline.waves)
    assert wave.shape == (made.sms, made.timeline.waves)
    assert np.all(wave[:, 0] == 0)
    assert np.all(share[:, 0] == 1.0)
    busy = (wave[:, -1] >= 0).sum()
    assert 0 < busy <= 300 - made.timeline.slots * (made.timeline.waves - 1)


def test_blocks_without_an_order_get_rows_of_their_own() -> None:
    start = np.array([0.0, 0.5, 0.2, 1.0])
    line = BlockTimeline(
        sm=np.zeros(4, np.int32),
        start_s=start,
        end_s=start + 0.9,
        wave=np.zeros(4, np.int32),
        slots=1,
        waves=1,
        duration_s=2.0,
        provenance=Provenance.MEASURED,
        blocks=4,
    )
    assert TimelineRows(line, 1).slot.tolist() == [0, 2, 1, 0]
    assert TimelineRows(line, 1).rows_per_sm == 3
