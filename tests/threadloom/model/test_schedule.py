# SPDX-License-Identifier: MIT


import numpy as np
import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Limiter, Occupancy, occupancy
from threadloom.model.program import Resources
from threadloom.model.provenance import Provenance
from threadloom.model.schedule import modeled_timeline
from threadloom.model.timeline import BlockTimeline
from threadloom.services.devices.device_table import find

ADA = find("RTX 4060")


def timeline(grid: Dim3, threads: int = 256, duration: float = 1e-3) -> BlockTimeline:
    launch = Launch(grid, Dim3(threads))
    return modeled_timeline(ADA, launch, occupancy(ADA, launch, Resources(32)), duration)


def test_no_sm_ever_holds_more_than_its_occupancy() -> None:
    found = timeline(Dim3(1000))
    assert (found.slots, found.waves) == (24 * 6, 7)
    for wave in range(found.waves):
        held = np.bincount(found.sm[found.wave == wave], minlength=24)
        assert held.max() <= 6
        assert held.max() - held.min() <= 1
    assert np.bincount(found.wave).tolist() == [144] * 6 + [136]


def test_waves_follow_each_other_to_the_end() -> None:
    found = timeline(Dim3(1000))
    assert found.start_s[0] == 0
    assert found.end_s.max() == pytest.approx(1e-3)
    assert np.allclose(found.end_s - found.start_s, 1e-3 / 7)
    assert (np.diff(found.start_s) >= 0).all()
    assert found.provenance is Provenance.MODELED


def test_few_blocks_go_to_different_sms() -> None:
    found = timeline(Dim3(5, 2))
    assert found.sm.tolist() == list(range(10))
    assert (found.waves, found.blocks, found.stride) == (1, 10, 1)


def test_a_million_blocks_are_not_sampled() -> None:
    found = timeline(Dim3(1000, 1000))
    assert (found.sm.size, found.blocks, found.stride) == (1_000_000, 1_000_000, 1)


def test_the_largest_grid_is_sampled() -> None:
    found = timeline(Dim3(2**31 - 1), threads=1024)
    assert found.sm.size == found.wave.size <= 1 << 20
    assert found.blocks == 2**31 - 1
    assert found.waves == -(-(2**31 - 1) // 24)
    block = 12_345_678 // found.stride * found.stride
    at = block // found.stride
    assert (found.wave[at], found.sm[at]) == (block // 24, block % 24)
    assert found.end_s[-1] == pytest.approx(1e-3)


def test_sampled_and_whole_agree() -> None:
    launch = Launch(Dim3(100_000), Dim3(128))
    held = occupancy(ADA, launch, Resources(40))
    whole = modeled_timeline(ADA, launch, held, 2.0)
    part = modeled_timeline(ADA, launch, held, 2.0, most=1000)
    assert part.stride == 1  # fewer blocks than a sample would hold
    assert np.array_equal(part.sm, whole.sm)
    assert np.array_equal(part.start_s, whole.start_s)


def test_nothing_runs() -> None:
    none = Occupancy(0, 0, 48, Limiter.NOTHING)
    with pytest.raises(ValueError, match="nothing runs"):
        modeled_timeline(ADA, Launch(Dim3(1), Dim3(2048)), none, 1.0)
    with pytest.raises(ValueError, match="nothing runs"):
        timeline(Dim3(0))
