# SPDX-License-Identifier: MIT
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from threadloom.presentation.launch_code_layout import broken


def test_a_short_launch_stays_on_one_line() -> None:
    assert broken("k<<<1, 2>>>(a);", 36) == "k<<<1, 2>>>(a);"


def test_the_arguments_go_to_the_second_line() -> None:
    line = "vec_add<<<dim3(3907), dim3(256)>>>(a, b, c, n);"
    assert broken(line, 36) == "vec_add<<<dim3(3907), dim3(256)>>>\n    (a, b, c, n);"


def test_the_block_goes_to_the_second_line() -> None:
    line = "mm_tiled<<<dim3(32, 32), dim3(16, 16)>>>(A, B, C, n);"
    assert broken(line, 36) == "mm_tiled<<<dim3(32, 32),\n    dim3(16, 16)>>>(A, B, C, n);"


def test_a_narrow_indent_is_taken_where_it_saves_a_line() -> None:
    line = "mm_tiled<<<dim3(32, 32), dim3(16, 16)>>>(A, B, C, m, n, k);"
    assert broken(line, 36) == "mm_tiled<<<dim3(32, 32),\n  dim3(16, 16)>>>(A, B, C, m, n, k);"


def test_the_narrowest_indent_is_one_space() -> None:
    line = "mm_tiled<<<dim3(32, 32), dim3(16, 16)>>>(A, B, C, m, n, k);"
    assert broken(line, 35) == "mm_tiled<<<dim3(32, 32),\n dim3(16, 16)>>>(A, B, C, m, n, k);"


def test_many_arguments_take_a_third_line() -> None:
    line = "mm_naive<<<dim3(32, 32), dim3(16, 16)>>>(A, B, C, rows, cols);"
    wanted = "mm_naive<<<dim3(32, 32),\n    dim3(16, 16)>>>\n    (A, B, C, rows, cols);"
    assert broken(line, 36) == wanted


@given(
    extents=st.lists(st.integers(1, 2**31 - 1), min_size=6, max_size=6),
    arguments=st.lists(st.text("abcxyz_", min_size=1, max_size=12), max_size=9),
    columns=st.integers(12, 60),
)
def test_breaking_changes_nothing_but_white_space(
    extents: list[int], arguments: list[str], columns: int
) -> None:
    grid, block = extents[:3], extents[3:]
    dims = [f"dim3({', '.join(map(str, part))})" for part in (grid, block)]
    line = f"kernel<<<{dims[0]}, {dims[1]}>>>({', '.join(arguments)});"
    assert "".join(broken(line, columns).split()) == "".join(line.split())
