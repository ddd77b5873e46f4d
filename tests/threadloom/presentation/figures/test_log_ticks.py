# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import hypothesis.strategies as st
import pytest
from hypothesis import given

from threadloom.presentation.figures.log_ticks import (
    decades,
    size_text,
    size_ticks,
    time_text,
    whole_decades,
)


def test_times_read_in_their_unit() -> None:
    ticks = decades(1e-9, 10.0, 20)
    assert [time_text(t) for t in ticks[:4]] == ["1 ns", "10 ns", "100 ns", "1 µs"]
    assert time_text(ticks[-1]) == "10 s"


def test_sizes_are_ticks_where_they_are_powers_of_two() -> None:
    sizes = [16, 32, 64, 128, 256, 512]
    assert size_ticks(15, 600, sizes, 10) == [16, 32, 64, 128, 256, 512]
    assert size_ticks(15, 600, sizes, 3) == [16, 64, 256]
    assert size_ticks(900, 1.1e6, [1_000, 31_623, 1_000_000], 9) == [1e3, 1e4, 1e5, 1e6]


def test_sizes_read_short() -> None:
    assert [size_text(n) for n in (512, 1_000, 10_000, 1e8, 31_623)] == [
        "512",
        "1,000",
        "10⁴",
        "10⁸",
        "31,623",
    ]


def test_a_narrow_range_gets_finer_ticks() -> None:
    assert decades(1.5e-6, 8e-6, 5) == pytest.approx([2e-6, 5e-6])


@given(st.floats(-12, 8), st.floats(0.3, 12), st.integers(2, 30))
def test_ticks_lie_inside_and_are_not_too_many(low: float, span: float, most: int) -> None:
    bottom, top = 10.0**low, 10.0 ** (low + span)
    ticks = decades(bottom, top, most)
    assert all(bottom * 0.999 <= tick <= top * 1.001 for tick in ticks)
    assert len(ticks) <= most + 1
    first, last = whole_decades(bottom, top)
    assert first <= bottom * 1.001
    assert last >= top * 0.999
    assert math.log10(last / first) >= 0.999
