# SPDX-License-Identifier: MIT

import math
from dataclasses import replace

import pytest

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources
from threadloom.model.timing.roofline import (
    LAUNCH_FLOOR_S,
    Bound,
    ModeledTimes,
    copy_seconds,
    modeled_times,
)
from threadloom.services.devices.device_table import find, load

H200 = find("H200")


def vector_add(
    n: int, device: DeviceModel = H200, threads: int = 256, dtype: str = "float32"
) -> ModeledTimes:
    launch = Launch(Dim3(ceil_div(n, threads)), Dim3(threads))
    held = occupancy(device, launch, Resources(registers=16))
    item = 4 if dtype == "float32" else 8
    moved = 3 * n * item
    return modeled_times(device, moved, n, dtype, launch, held, 2 * n * item, n * item)


def matmul(n: int, device: DeviceModel = H200, dtype: str = "float32") -> ModeledTimes:
    launch = Launch(Dim3(ceil_div(n, 16), ceil_div(n, 16)), Dim3(16, 16))
    held = occupancy(device, launch, Resources(registers=40))
    return modeled_times(device, 12 * n * n, 2 * n**3, dtype, launch, held)


@pytest.mark.parametrize(
    ("n", "measured_s"),
    [(1_000, 3.0e-6), (1_000_000, 5.7e-6), (10_000_000, 38.9e-6), (100_000_000, 355e-6)],
)
def test_near_what_an_h200_measured(n: int, measured_s: float) -> None:
    assert vector_add(n).kernel_s == pytest.approx(measured_s, rel=0.15)


def test_copies_near_what_an_h200_machine_measured() -> None:
    assert vector_add(100_000_000).h2d_s == pytest.approx(112e-3, rel=0.1)


def test_says_what_binds() -> None:
    assert vector_add(1_000).bound is Bound.LATENCY
    assert vector_add(100_000_000).bound is Bound.MEMORY
    assert matmul(4096).bound is Bound.COMPUTE


def test_never_faster_than_the_hardware() -> None:
    for device in load():
        for n in (1_000, 1_000_000, 100_000_000):
            times = vector_add(n, device)
            assert times.kernel_s >= LAUNCH_FLOOR_S
            assert 12 * n / times.kernel_s <= device.memory_gb_per_s * 1e9
        product = matmul(2048, device)
        assert 2 * 2048**3 / product.kernel_s <= device.peak_flops("float32")


def test_double_precision_takes_its_share_longer() -> None:
    ada = find("RTX 4090")
    double, single = matmul(4096, ada, "float64").kernel_s, matmul(4096, ada).kernel_s
    assert double - LAUNCH_FLOOR_S == pytest.approx(64 * (single - LAUNCH_FLOOR_S))


def test_larger_problems_take_longer() -> None:
    times = [vector_add(10**power).kernel_s for power in range(3, 9)]
    assert times == sorted(times)
    assert times[0] < times[-1]


def test_a_block_beyond_the_last_full_wave_costs() -> None:
    slots = H200.sm_count * 8
    launches = [Launch(Dim3(blocks), Dim3(256)) for blocks in (slots, slots + 1)]
    held = occupancy(H200, launches[0], Resources(16))
    work = 1e12
    full, more = (modeled_times(H200, 0, work, "float32", each, held) for each in launches)
    assert (full.waves, more.waves) == (1, 2)
    assert more.kernel_s > full.kernel_s


def test_one_block_cannot_fill_a_gpu() -> None:
    launch = Launch(Dim3(1), Dim3(1024))
    held = occupancy(H200, launch, Resources(16))
    alone = modeled_times(H200, 12e8, 1e8, "float32", launch, held)
    assert alone.kernel_s > 20 * vector_add(100_000_000).kernel_s
    assert alone.bound is Bound.LATENCY


def test_copies_keep_to_the_link_and_to_pageable_memory() -> None:
    assert copy_seconds(H200, 0) == 0
    assert math.isnan(copy_seconds(replace(H200, link_gb_per_s=0), 10))
    slow = replace(H200, link_gb_per_s=2.0)
    assert copy_seconds(slow, 1e9) > copy_seconds(H200, 1e9)
    times = vector_add(1_000_000)
    assert times.total_s == times.h2d_s + times.kernel_s + times.d2h_s


def test_nothing_runs() -> None:
    launch = Launch(Dim3(1), Dim3(2048))
    with pytest.raises(ValueError, match="nothing runs"):
        modeled_times(H200, 1, 1, "float32", launch, occupancy(H200, launch, Resources()))
