# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.presentation.mapping.lattice import Flow, Lattice, Sheet
from threadloom.presentation.mapping.level_of_detail import GAPS, VALUES, WIDE_GAPS, detail_of
from threadloom.presentation.mapping.region import Rectangle, cells_between

LATTICES: list[Lattice] = [
    Flow(1000, 192, 250, 32, 6),
    Flow(1000, 192, 250, 32, 6, scroll=13),
    Flow(100_000, 192, 250, 192, 1, bucket=3),
    Sheet(40, 30, 200, 200, 5.0),
    Sheet(40, 30, 100, 100, 9.0, left=17, top=40),
    Sheet(400, 300, 120, 160, 0.4),
]


@given(
    lattice=st.sampled_from(LATTICES),
    corners=st.tuples(*[st.integers(0, 180)] * 4),
)
def test_a_rectangle_holds_the_cells_below_it(
    lattice: Lattice, corners: tuple[int, int, int, int]
) -> None:
    left, right = sorted(corners[:2])
    top, bottom = sorted(corners[2:])
    cells = cells_between(lattice, Rectangle(left, top, right, bottom))
    assert np.all(np.diff(cells) > 0)
    for x, y in ((left, top), (right, bottom), ((left + right) / 2, (top + bottom) / 2)):
        below = lattice.index_at(x, y)
        assert below is None or below in cells
    assert cells.size == 0 or lattice.index_at(right + 40.0, top) not in cells


@pytest.mark.parametrize(
    ("size", "before", "detail"),
    [
        (4.0, 0, GAPS),
        (3.7, 0, 0),
        (3.7, GAPS, GAPS),
        (3.5, GAPS, 0),
        (17.0, WIDE_GAPS, WIDE_GAPS),
        (17.0, VALUES, VALUES),
        (16.0, VALUES, WIDE_GAPS),
    ],
)
def test_detail_stays_down_to_nine_tenths_of_its_limit(
    size: float, before: int, detail: int
) -> None:
    assert detail_of(size, before) == detail
