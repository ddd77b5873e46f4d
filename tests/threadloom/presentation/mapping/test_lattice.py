# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.model.dim3 import Dim3
from threadloom.presentation.mapping.fitting import (
    LookToLattice,
    Room,
    Viewport,
    flow,
    sheet,
    zoomed_at,
)
from threadloom.presentation.mapping.lattice import Flow, Lattice, Sheet
from threadloom.presentation.mapping.warp_lattice import lay_out_threads

counts = st.integers(1, 2_147_483_647)
sides = st.integers(40, 600)


@given(counts, sides, sides)
def test_all_cells_in_rows_fit_the_pane(count: int, width: int, height: int) -> None:
    made = flow(count, Room(width, height, 56), Viewport())
    assert made.size[0] <= width
    assert made.size[1] <= height


@given(counts, sides, sides, st.integers(0, 10**12))
def test_a_cell_in_rows_is_found_where_it_lies(
    count: int, width: int, height: int, place: int
) -> None:
    index = place % count
    made = flow(count, Room(width, height, 56), Viewport(), 32)
    box = made.box_of(index)
    found = made.index_at(box.x + box.width / 2, box.y + box.height / 2)
    assert found is not None
    assert found <= index < found + made.per_bucket


@given(st.integers(1, 40_000), st.integers(1, 40_000), sides, sides, st.integers(0, 10**12))
def test_a_cell_of_a_matrix_is_found_where_it_lies(
    rows: int, columns: int, width: int, height: int, place: int
) -> None:
    index = place % (rows * columns)
    made = sheet(rows, columns, Room(width, height, 56), Viewport())
    assert made.size[0] <= width
    assert made.size[1] <= height
    box = made.box_of(index)
    found = made.index_at(box.x + box.width / 2, box.y + box.height / 2)
    if made.scale >= 1:
        assert found == index
    else:
        assert box.x <= width
        assert box.y <= height


@given(st.integers(1, 5000), st.integers(1, 300), st.integers(1, 300))
def test_samples_of_buckets_are_the_cells_of_their_pixels(
    count: int, rows: int, columns: int
) -> None:
    for made in (
        flow(count, Room(61, 43, 20), Viewport(), 32),
        sheet(rows, columns, Room(61, 43, 20), Viewport()),
    ):
        assert_every_sample_lies_in_its_bucket(made)


def assert_every_sample_lies_in_its_bucket(made: Lattice) -> None:
    total = made.count if isinstance(made, Flow) else total_of(made)
    samples = made.samples(8)
    assert samples.shape[:2] == made.shape
    assert samples.max() < total
    for y in range(0, made.size[1], max(1, made.size[1] // 7)):
        for x in range(0, made.size[0], max(1, made.size[0] // 7)):
            first = made.index_at(x, y)
            inside = samples[y // made.pitch, x // made.pitch]
            if first is not None and made.per_bucket == 1:
                assert inside[0] == first


def total_of(made: Lattice) -> int:
    assert isinstance(made, Sheet)
    return made.rows * made.columns


@given(st.integers(1, 200_000), st.integers(0, 10**9))
def test_one_flagged_cell_among_many_is_never_lost(count: int, place: int) -> None:
    made = flow(count, Room(90, 60, 20), Viewport(), 32)
    flags = np.zeros(count, dtype=np.bool_)
    flags[place % count] = True
    found = made.any(flags)
    assert found.sum() == 1
    box = made.box_of(place % count)
    assert found[box.y // made.pitch, box.x // made.pitch]


@given(st.integers(1, 700), st.integers(1, 700), st.integers(0, 10**9))
def test_one_flagged_cell_of_a_matrix_is_never_lost(rows: int, columns: int, place: int) -> None:
    made = sheet(rows, columns, Room(90, 60, 20), Viewport())
    flags = np.zeros(rows * columns, dtype=np.bool_)
    flags[place % (rows * columns)] = True
    assert made.any(flags).sum() == 1


def test_pixels_between_cells_belong_to_none() -> None:
    made = flow(100, Room(200, 200, 20), Viewport())
    columns = made.columns_of_pixels(2)
    assert (columns[made.pitch - 2 : made.pitch] == -1).all()
    assert columns[0] == 0
    assert columns[made.pitch] == 1


def test_data_rows_hold_a_multiple_of_32() -> None:
    for count in (1000, 100_000, 1_000_000, 16_777_216):
        made = flow(count, Room(187, 250, 40), Viewport(), 32)
        assert made.row_length % 32 == 0


@given(
    st.integers(1, 3_000_000),
    st.floats(1.1, 8.0),
    st.integers(0, 186),
    st.integers(0, 249),
)
def test_zooming_keeps_the_cell_under_the_pointer(
    count: int, factor: float, x: int, y: int
) -> None:
    lattice_of = LookToLattice(count, None, Room(187, 250, 40), 32)
    before = lattice_of(Viewport())
    index = before.index_at(x, y)
    viewport = zoomed_at(before, lattice_of, Viewport(), factor, x, y)
    box = lattice_of(viewport).box_of(index or 0)
    if index is not None:
        assert -box.height <= box.y <= 250


def test_a_matrix_that_is_zoomed_can_be_moved_to_its_end() -> None:
    made = sheet(100, 100, Room(100, 100, 40), Viewport(zoom=8.0, left=1e9, top=1e9))
    assert made.index_at(99, 99) == 100 * 100 - 1


@pytest.mark.parametrize(
    "block",
    [Dim3(1), Dim3(31), Dim3(256), Dim3(1024), Dim3(16, 16), Dim3(10, 10), Dim3(8, 8, 8)],
    ids=str,
)
def test_every_thread_of_a_block_is_found_where_it_lies(block: Dim3) -> None:
    made = lay_out_threads(block, 320, 270, 28)
    assert made.size[0] <= 320
    assert made.size[1] <= 290
    for index in range(block.count):
        box = made.box_of(index)
        assert made.index_at(box.x + 0.5, box.y + 0.5) == index


def test_warps_of_two_rows_are_set_apart() -> None:
    made = lay_out_threads(Dim3(16, 16), 240, 240, 28)
    rows = made.rows_of_pixels(1)
    assert made.group == 2
    assert made.space > 0
    first, second = made.box_of_warp(0), made.box_of_warp(1)
    assert second.y > first.y + first.height
    assert set(np.unique(rows)) == {-1, *range(16)}
