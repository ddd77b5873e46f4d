# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.services.bench.sizes import (
    SizeTextError,
    read_size,
    read_sizes,
    sizes_between,
    usual_sizes,
)
from threadloom_kernels import discover


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512", 512),
        ("1e6", 1_000_000),
        ("1_000_000", 1_000_000),
        (" 1.5e3 ", 1500),
        ("64k", 64_000),
        ("1M", 1_000_000),
        ("2147482624", 2**31 - 1024),
    ],
)
def test_sizes_as_people_write_them(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "x", "1.5", "-3", "0", "2147483648", "1e99", "nan", "1,5"])
def test_what_is_no_size_is_refused_by_its_text(text: str) -> None:
    with pytest.raises(SizeTextError) as caught:
        read_size(text)
    assert text in str(caught.value)


def test_ranges_and_lists() -> None:
    assert read_sizes("64..512") == (64, 128, 256, 512)
    assert read_sizes("1e3..1e8", points=6) == (1000, 10_000, 100_000, 10**6, 10**7, 10**8)
    assert read_sizes("400, 100,200,100") == (100, 200, 400)


@pytest.mark.parametrize("text", ["512..64", "..", "1..x", "1,,2"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(SizeTextError):
        read_sizes(text)


@pytest.mark.parametrize("points", [1, 201, -1])
def test_too_few_or_too_many_points_are_refused(points: int) -> None:
    with pytest.raises(SizeTextError, match="2 to 200"):
        sizes_between(1, 100, points)


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.integers(2, 50))
def test_a_range_rises_from_end_to_end(one: int, other: int, points: int) -> None:
    low, high = sorted((one, other))
    sizes = sizes_between(low, high, points)
    assert (sizes[0], sizes[-1]) == (low, high)
    assert list(sizes) == sorted(set(sizes))
    assert len(sizes) <= points


@pytest.mark.parametrize("operation", discover().values(), ids=lambda o: o.name)
def test_every_operation_has_usual_sizes(operation: object) -> None:
    sizes = usual_sizes(operation)  # type: ignore[arg-type]
    assert len(sizes) >= 3
    assert list(sizes) == sorted(set(sizes))
