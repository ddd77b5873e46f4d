# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.provenance import Provenance
from threadloom.services.bench.launch_choices import (
    LINE,
    PLANE,
    block_choices,
    variant_choices,
)
from threadloom.services.bench.launch_sweep import LaunchSweeper
from threadloom.services.bench.sharding import merged, shards
from threadloom.services.messages.launch_sweep import (
    LaunchChoice,
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.run.engines import Engines
from threadloom_kernels import discover

Listener = Any  # of conftest.py
MATMUL = Job(
    "matmul", "naive", {"m": 32, "n": 32, "k": 32}, engine=EngineChoice.EMULATOR, model="H200"
)
BLOCKS = tuple(LaunchChoice("naive", Dim3(x, y)) for x in (4, 8, 16, 32) for y in (2, 4, 8))

STOPPED = 5


@pytest.fixture(scope="module")
def sweeper() -> LaunchSweeper:
    return LaunchSweeper(Engines())


def test_points_come_as_they_are_known_in_the_order_asked_for(
    sweeper: LaunchSweeper, listener: Listener
) -> None:
    result = sweeper.run(LaunchSweepRequest(MATMUL, BLOCKS), listener)
    assert [point.choice for point in result.points] == list(BLOCKS)
    told = [m for m in listener.messages if isinstance(m, LaunchSweepProgress)]
    assert [message.done for message in told] == list(range(1, len(BLOCKS) + 1))
    assert told[3].so_far is not None
    assert told[3].so_far.points == result.points[:4]
    assert result.complete
    for point in result.points:
        assert point.matches is True
        assert point.provenance is Provenance.MODELED
        assert point.samples is not None
        assert point.launch is not None
        assert point.launch.block == point.choice.block


def test_a_launch_that_cannot_be_says_why_and_the_others_go_on(
    sweeper: LaunchSweeper, listener: Listener
) -> None:
    choices = (LaunchChoice("naive", Dim3(64, 64)), BLOCKS[0])
    large, good = sweeper.run(LaunchSweepRequest(MATMUL, choices), listener).points
    assert large.samples is None
    assert "1,024" in str(large.skipped)
    assert good.samples is not None


def test_variants_are_compiled_each(sweeper: LaunchSweeper, listener: Listener) -> None:
    choices = variant_choices(discover()["matmul"])
    result = sweeper.run(LaunchSweepRequest(MATMUL, choices), listener)
    assert {point.choice.variant for point in result.points} >= {"naive", "shared_tile"}
    assert all(point.matches for point in result.points)


def test_stopped_it_gives_what_it_has_and_goes_on_from_there(
    sweeper: LaunchSweeper, listener: Listener
) -> None:
    listener.cancel_after = STOPPED
    stopped = sweeper.run(LaunchSweepRequest(MATMUL, BLOCKS), listener)
    assert not stopped.complete
    assert [point.choice for point in stopped.points] == list(BLOCKS[:STOPPED])
    listener.cancel_after = None
    marked = tuple(replace(point, device="earlier") for point in stopped.points)
    rest = sweeper.run(LaunchSweepRequest(MATMUL, BLOCKS, done=marked), listener)
    assert rest.complete
    assert [point.device for point in rest.points] == ["earlier"] * STOPPED + ["H200"] * (
        len(BLOCKS) - STOPPED
    )


def test_choices_follow_the_variants_own_block() -> None:
    add, product = discover()["vector_add"], discover()["matmul"]
    line = block_choices(add.variant("grid"), add.sizes({}))
    plane = block_choices(product.variant("naive"), product.sizes({}))
    assert [choice.block for choice in line] == list(LINE)
    assert [choice.block for choice in plane] == list(PLANE)
    assert all(32 <= block.x * block.y <= 1024 for block in PLANE)


def test_several_gpus_share_the_choices_and_the_points_are_put_together(
    sweeper: LaunchSweeper, listener: Listener
) -> None:
    whole = LaunchSweepRequest(MATMUL, BLOCKS)
    parts = [p for p in shards(whole, (0, 3)) if isinstance(p, LaunchSweepRequest)]
    assert [part.job.device for part in parts] == [0, 3]
    assert all(part.job.engine == "gpu" for part in parts)
    assert parts[0].choices == BLOCKS[::2]
    found = [sweeper.run(replace(part, job=MATMUL), listener) for part in parts]
    found = [replace(one, job=part.job) for one, part in zip(found, parts, strict=True)]
    result = merged(whole, found)
    assert isinstance(result, LaunchSweepResult)
    assert [point.choice for point in result.points] == list(BLOCKS)
    assert result.complete
    assert [point.device for point in result.points[:2]] == ["H200, GPU 0", "H200, GPU 3"]
    again = merged(replace(whole, done=found[0].points), found)
    assert isinstance(again, LaunchSweepResult)
    assert [point.device for point in again.points[:2]] == ["H200", "H200, GPU 3"]
