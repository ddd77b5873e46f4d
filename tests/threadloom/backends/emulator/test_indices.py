# SPDX-License-Identifier: MIT
"""Arithmetic of indices may be taken not to overflow; all other arithmetic wraps."""

from __future__ import annotations

from typing import Any

import numpy as np

from threadloom.backends.emulator.indices import without_overflow

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
    marked = without_overflow(INDEX)
    assert "%4 = mul nsw i32 %1, %2" in marked
    assert "%5 = add nsw i32 %4, 1" in marked


def test_a_value_that_is_used_elsewhere_is_not() -> None:
    assert without_overflow(USED_TWICE) == USED_TWICE


def test_arithmetic_that_is_no_index_is_not() -> None:
    assert without_overflow(VALUE) == VALUE


def test_names_of_another_function_do_not_count() -> None:
    other = VALUE.replace("@k", "@other")
    assert without_overflow(other + INDEX) == other + without_overflow(INDEX)
    assert without_overflow(INDEX + other) == without_overflow(INDEX) + other


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
