# SPDX-License-Identifier: MIT
"""The engine's own reads, which hide in assembly until a kernel's accesses have their hooks."""

from __future__ import annotations

import pytest

from threadloom.backends.emulator.peeks import with_plain_reads

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
    assert with_plain_reads(hidden) == plain


@pytest.mark.parametrize(
    "line",
    [
        "  %7 = load i32, ptr %6, !dbg !137",
        '  call void asm sideeffect "", "~{memory}"() #10, !dbg !137',
        '  %7 = call i64 asm sideeffect "rdtsc", "=A"() #10, !dbg !137',
    ],
)
def test_other_lines_stay(line: str) -> None:
    assert with_plain_reads(line) == line
