# SPDX-License-Identifier: MIT
"""Rewrites of LLVM IR: hidden reads become loads, spinning threads yield, indices are nsw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.emulator.instrumentation.rewrites import (
    with_nsw_indices,
    with_spin_yields,
    with_visible_reads,
)

INDEX = """define void @k(ptr %0, i32 %1, i32 %2) {
  %4 = mul i32 %1, %2
  %5 = add i32 %4, 1
  %6 = sext i32 %5 to i64
  %7 = getelementptr inbounds float, ptr %0, i64 %6
  %8 = load float, ptr %7
  ret void
}
"""
USED_TWICE = INDEX.replace("  ret void\n", "  store i32 %5, ptr %0\n  ret void\n")
VALUE = INDEX.replace("getelementptr inbounds float, ptr %0, i64 %6", "inttoptr i64 %6 to ptr")
MIXING = """__global__ void k(int *hash, int *table, int n) {
    int i = threadIdx.x, h = 0x7fffffff - i;
    for (int turn = 0; turn < 5; ++turn) h = h * 1103515245 + 12345;
    hash[i] = h + (h + 1 > h);
    int slot = h * 7 % n;
    if (slot < 0) slot += n;
    atomicAdd(&table[slot], 1);
}
"""


def test_arithmetic_of_an_index_is_marked() -> None:
    marked = with_nsw_indices(INDEX)
    assert "%4 = mul nsw i32 %1, %2" in marked
    assert "%5 = add nsw i32 %4, 1" in marked


def test_a_value_that_is_used_elsewhere_is_not() -> None:
    assert with_nsw_indices(USED_TWICE) == USED_TWICE


def test_arithmetic_that_is_no_index_is_not() -> None:
    assert with_nsw_indices(VALUE) == VALUE


def test_names_of_another_function_do_not_count() -> None:
    other = VALUE.replace("@k", "@other")
    assert with_nsw_indices(other + INDEX) == other + with_nsw_indices(INDEX)
    assert with_nsw_indices(INDEX + other) == with_nsw_indices(INDEX) + other


def test_ints_wrap_in_both_builds(lab: Any) -> None:
    n, threads = 61, 256
    out = lab.both(
        MIXING,
        [1],
        [threads],
        hash=np.zeros(threads, np.int32),
        table=np.zeros(n, np.int32),
        n=np.int32(n),
    )
    h = np.int64(0x7FFFFFFF) - np.arange(threads)
    for _turn in range(5):
        h = (h * 1103515245 + 12345).astype(np.int32).astype(np.int64)
    np.testing.assert_array_equal(out.arrays["hash"], h.astype(np.int32) + (h + 1 < 2**31))
    slot = np.fmod((h * 7).astype(np.int32), n) % n
    np.testing.assert_array_equal(out.arrays["table"], np.bincount(slot, minlength=n))


_ASM = (
    'asm "mov{} $1, $0", "=r,*m,~{{dirflag}},~{{fpsr}},~{{flags}}"({}) #10, !dbg !137, !srcloc !141'
)
_PART = "getelementptr inbounds nuw (i8, ptr @tl_block_dim, i64 4)"


@pytest.mark.parametrize(
    ("hidden", "plain"),
    [
        (
            "  %7 = call noundef i32 "
            + _ASM.format("l", "ptr nonnull elementtype(i32) align 4 dereferenceable(12) %6"),
            "  %7 = load i32, ptr %6, !dbg !137",
        ),
        (
            "  %8 = tail call i32 "
            + _ASM.format("l", "ptr nonnull elementtype(i32) @tl_block_dim"),
            "  %8 = load i32, ptr @tl_block_dim, !dbg !137",
        ),
        (
            "  %9 = call noundef i32 " + _ASM.format("l", f"ptr elementtype(i32) {_PART}"),
            f"  %9 = load i32, ptr {_PART}, !dbg !137",
        ),
        (
            "  %3 = call noundef ptr " + _ASM.format("q", "ptr elementtype(ptr) align 8 %2"),
            "  %3 = load ptr, ptr %2, !dbg !137",
        ),
    ],
)
def test_a_hidden_read_becomes_a_load(hidden: str, plain: str) -> None:
    assert with_visible_reads(hidden) == plain


@pytest.mark.parametrize(
    "line",
    [
        "  %7 = load i32, ptr %6, !dbg !137",
        '  call void asm sideeffect "", "~{memory}"() #10, !dbg !137',
        '  %7 = call i64 asm sideeffect "rdtsc", "=A"() #10, !dbg !137',
    ],
)
def test_other_lines_stay(line: str) -> None:
    assert with_visible_reads(line) == line


@pytest.mark.parametrize(
    "read",
    [
        "  %5 = load volatile i32, ptr %4, align 4, !dbg !21",
        "  %5 = load atomic i32, ptr %4 seq_cst, align 4, !dbg !21",
        "  %5 = atomicrmw add ptr %4, i32 1 monotonic, align 4, !dbg !21",
        "  %5 = cmpxchg ptr %4, i32 1, i32 2 monotonic monotonic, align 4, !dbg !21",
    ],
)
def test_a_read_of_what_others_change_yields_first(read: str) -> None:
    lines = with_spin_yields(read).splitlines()
    assert lines[:2] == ["  call void @tl_spin_yield(), !dbg !21", read]


def test_an_ordinary_load_does_not_yield() -> None:
    load = "  %5 = load i32, ptr %4, align 4, !dbg !21"
    assert with_spin_yields(load).splitlines()[0] == load
