# SPDX-License-Identifier: MIT

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.paths import DATA_FOLDER

from threadloom.model.capability import CAPABILITIES, capability
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Limiter, occupancy, register_limited_block
from threadloom.model.program import Resources
from threadloom.services.devices.device_table import find, load

RECORDED = DATA_FOLDER / "gpu" / "occupancy_calculator.csv"
ADA = find("RTX 4090")


def launch(threads: int, dynamic: int = 0) -> Launch:
    return Launch(Dim3(1), Dim3(threads), dynamic)


def device_of(number: int) -> DeviceModel:
    version = (number // 10, number % 10)
    row = CAPABILITIES[version]
    return replace(
        ADA,
        compute_capability=version,
        max_threads_per_sm=row.max_threads_per_sm,
        max_blocks_per_sm=row.max_blocks_per_sm,
        shared_per_sm=row.shared_per_sm,
        shared_per_block_optin=row.shared_per_block_optin,
        shared_reserved_per_block=row.shared_reserved_per_block,
    )


def test_equals_nvidias_calculator_in_every_recorded_case() -> None:
    with RECORDED.open(newline="") as file:
        rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(file)]
    assert len(rows) > 4000
    assert {row["capability"] for row in rows} == {a * 10 + b for a, b in CAPABILITIES}
    wrong = []
    for row in rows:
        used = Resources(registers=row["registers"], shared_bytes=row["static_bytes"])
        asked = launch(row["threads"], row["dynamic_bytes"])
        got = occupancy(device_of(row["capability"]), asked, used).blocks_per_sm
        if got != row["blocks"]:
            wrong.append((row, got))
    assert not wrong


@pytest.mark.parametrize("file", sorted(RECORDED.parent.glob("occupancy*.json")), ids=str)
def test_equals_the_driver_of_a_gpu_in_every_recorded_case(file: Path) -> None:
    """Records of ``tests/gpu/occupancy.py``."""
    data = json.loads(file.read_text("utf-8"))
    fields = data["device"]
    shapes = {name: Dim3(**fields[name]) for name in ("max_block", "max_grid")}
    version = tuple(fields["compute_capability"])
    device = DeviceModel(**{**fields, **shapes, "compute_capability": version})
    assert data["rows"]
    assert not data["wrong"]
    for values in data["rows"]:
        row = dict(zip(data["columns"], values, strict=True))
        used = Resources(
            registers=row["registers"],
            shared_bytes=row["static_bytes"],
            max_threads_per_block=row["max_threads"],
        )
        asked = launch(row["threads"], row["dynamic_bytes"])
        assert occupancy(device, asked, used).blocks_per_sm == row["driver"], row


@pytest.mark.parametrize(
    ("threads", "resources", "dynamic", "blocks", "limiter"),
    [
        (256, Resources(registers=32), 0, 6, Limiter.THREADS),
        (32, Resources(registers=32), 0, 24, Limiter.BLOCKS),
        (256, Resources(registers=64), 0, 4, Limiter.REGISTERS),
        (128, Resources(registers=32, shared_bytes=24 * 1024), 0, 4, Limiter.SHARED),
        (128, Resources(registers=32), 99 * 1024, 1, Limiter.SHARED),
        (128, Resources(registers=32), 99 * 1024 + 1, 0, Limiter.NOTHING),
        (1025, Resources(), 0, 0, Limiter.NOTHING),
        (0, Resources(), 0, 0, Limiter.NOTHING),
        (-5, Resources(), 0, 0, Limiter.NOTHING),
        (1024, Resources(registers=65), 0, 0, Limiter.NOTHING),
        (512, Resources(max_threads_per_block=256), 0, 0, Limiter.NOTHING),
    ],
)
def test_names_what_holds_it_back(
    threads: int, resources: Resources, dynamic: int, blocks: int, limiter: Limiter
) -> None:
    found = occupancy(ADA, launch(threads, dynamic), resources)
    assert (found.blocks_per_sm, found.limiter) == (blocks, limiter)
    assert found.warps_per_sm == blocks * launch(threads).warps_per_block


def test_unknown_registers_set_no_limit() -> None:
    assert occupancy(ADA, launch(256), Resources()).share == 1.0


def test_two_negative_extents_do_not_pass_for_a_block() -> None:
    odd = Launch(Dim3(1), Dim3(-16, -16))
    assert occupancy(ADA, odd, Resources()).limiter is Limiter.NOTHING


@pytest.mark.parametrize(
    ("registers", "block"), [(32, 1024), (64, 1024), (65, 896), (128, 512), (168, 384), (255, 256)]
)
def test_registers_limit_the_block(registers: int, block: int) -> None:
    used = Resources(registers=registers)
    assert register_limited_block(ADA, used) == block
    assert occupancy(ADA, launch(block), used).blocks_per_sm >= 1
    if block < 1024:
        assert occupancy(ADA, launch(block + 1), used).blocks_per_sm == 0


def test_the_drivers_own_limit_wins() -> None:
    assert register_limited_block(ADA, Resources(16, max_threads_per_block=640)) == 640


def test_an_unknown_capability_takes_the_closest_older_one() -> None:
    assert capability((9, 9)) is CAPABILITIES[9, 0]
    assert capability((13, 0)) is CAPABILITIES[12, 1]
    assert capability((6, 1)) is CAPABILITIES[7, 5]


def test_full_occupancy_is_reached_on_every_device() -> None:
    for device in load():
        assert occupancy(device, launch(256), Resources(registers=32)).share == 1.0
