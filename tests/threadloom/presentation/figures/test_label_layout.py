# SPDX-License-Identifier: MIT
from __future__ import annotations

import itertools

import hypothesis.strategies as st
from hypothesis import given

from threadloom.presentation.figures.label_layout import spread_labels


def test_labels_that_have_room_stay() -> None:
    assert spread_labels([10.0, 50.0, 90.0], 14, 0, 100) == [10.0, 50.0, 90.0]


def test_labels_that_meet_move_apart_around_their_mean() -> None:
    assert spread_labels([50.0, 50.0], 14, 0, 100) == [43.0, 57.0]


def test_labels_keep_their_order_at_the_edge() -> None:
    assert spread_labels([99.0, 100.0, 20.0], 14, 0, 100) == [86.0, 100.0, 20.0]


@given(st.lists(st.floats(0, 300), min_size=1, max_size=8))
def test_no_label_lies_on_another(wanted: list[float]) -> None:
    places = spread_labels(wanted, 14, 0, 300)
    ordered = sorted(places)
    gaps = [b - a for a, b in itertools.pairwise(ordered)]
    assert all(gap >= 14 - 1e-6 for gap in gaps)
    assert ordered[0] >= -1e-6
    assert ordered[-1] <= 300 + 1e-6
    by_wish = sorted(range(len(wanted)), key=lambda i: wanted[i])
    assert [places[i] for i in by_wish] == ordered
