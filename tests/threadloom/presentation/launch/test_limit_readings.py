# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest

from threadloom.model.dim3 import Dim3
from threadloom.model.program import Resources
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch import limit_readings as readings
from threadloom.presentation.launch_preview import LaunchPreview, preview_launch
from threadloom.presentation.over_limit import over_words
from threadloom.presentation.workspace_edits import choose_operation
from threadloom.services.storage.workspace import Workspace


@pytest.fixture
def preview(catalog: Catalog) -> LaunchPreview:
    return preview_launch(Workspace(), catalog, None, None)


def chosen(catalog: Catalog, **changes: object) -> LaunchPreview:
    return preview_launch(Workspace().with_(**changes), catalog, None, None)


def test_threads_past_the_end_are_counted(preview: LaunchPreview) -> None:
    reading = readings.threads_and_elements(preview)
    assert reading.value == "1,000,192 / 1,000,000"
    assert reading.caption == "192 threads past the end (0.02 %)"
    seen = readings.threads_and_elements(replace(preview, guarded=True))
    assert seen.caption == "192 threads past the end are idle (0.02 %)"


@pytest.mark.parametrize("name", ["reduce_sum", "histogram"])
def test_a_sum_counts_the_elements_that_it_reads(catalog: Catalog, name: str) -> None:
    workspace = choose_operation(Workspace(), catalog.operations[name])
    preview = preview_launch(
        workspace.with_(sizes={**workspace.sizes, "n": 1000}), catalog, None, None
    )
    assert readings.threads_and_elements(preview).value.endswith("/ 1,000")


def test_too_few_threads_fill_part_of_the_bar(catalog: Catalog) -> None:
    half = chosen(catalog, grid=Dim3(1), block=Dim3(500), sizes={"n": 1000})
    reading = readings.threads_and_elements(
        replace(half, launch=replace(half.launch, grid=Dim3(1)))
    )
    assert reading.share == pytest.approx(0.5)
    assert reading.caption == ""


def test_a_block_above_the_limit_is_an_error(catalog: Catalog) -> None:
    reading = readings.threads_per_block(chosen(catalog, block=Dim3(500_000)))
    assert reading.value == "500,000 / 1,024"
    assert (reading.tone, reading.fill) == ("error", "error")
    assert reading.caption == "488× the limit"


def test_registers_are_only_known_after_compiling(preview: LaunchPreview) -> None:
    assert readings.registers_per_thread(preview).value == "unknown"
    known = replace(preview, resources=Resources(registers=38))
    assert readings.registers_per_thread(known).value == "38 / 255"


def test_shared_memory_counts_static_and_dynamic(preview: LaunchPreview) -> None:
    known = replace(
        preview,
        resources=Resources(shared_bytes=1024),
        launch=replace(preview.launch, shared_bytes=1024),
    )
    assert readings.shared_per_block(known).value == "2 KiB / 48 KiB"


def test_occupancy_says_what_holds_it_back(catalog: Catalog, preview: LaunchPreview) -> None:
    full = readings.occupancy(preview)
    assert (full.value, full.tone) == ("100 %", "ok")
    assert full.caption == "6 blocks × 256 = 1,536 threads per SM, at the limit"
    small = readings.occupancy(chosen(catalog, block=Dim3(16), sizes={"n": 64}))
    assert small.value == "50 %"
    assert small.caption == "24 blocks per SM is the limit: 384 threads"


def test_nothing_runs_in_a_refused_launch(catalog: Catalog) -> None:
    reading = readings.occupancy(chosen(catalog, block=Dim3(500_000)))
    assert reading.value == "none: the launch is not valid"


@pytest.mark.parametrize("block", [Dim3(0), Dim3(-1), Dim3(2**31), Dim3(2**62, 2**62)])
def test_extremes_are_shown_and_harm_nothing(catalog: Catalog, block: Dim3) -> None:
    preview = chosen(catalog, block=block, sizes={"n": 1000})
    for read in (
        readings.threads_and_elements,
        readings.threads_per_block,
        readings.registers_per_thread,
        readings.shared_per_block,
        readings.occupancy,
    ):
        assert read(preview).value


@pytest.mark.parametrize("size", [0, -1, 2**31, 2**62])
def test_extremes_of_the_size_harm_nothing(catalog: Catalog, size: int) -> None:
    preview = chosen(catalog, sizes={"n": size})
    assert readings.threads_and_elements(preview).value


def test_how_far_over_a_limit_is_worded_once() -> None:
    words = [over_words(asked, 1024) for asked in (1100, 500_000, 2_147_483_647)]
    assert words == ["1.1× the limit", "488× the limit", "2,097,152× the limit"]
