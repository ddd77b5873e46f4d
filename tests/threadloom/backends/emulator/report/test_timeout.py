# SPDX-License-Identifier: MIT
"""What is said of a launch that was stopped at its time limit, without running one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from threadloom.backends.emulator.report.timeout import timeout_text, timeout_violation
from threadloom.backends.emulator.runtime.abi import SPIN_SAMPLES, Request, Timeout
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.trace import AccessKind, Space, ViolationKind

LINES = {100: 7, 104: 7, 108: 9, 112: 9, 116: 3}
"""Lines of the user's source by address."""


def call(timeout: Timeout, spun: list[int] | None = None, blocks: int = 4, **values: int) -> Any:
    request = Request()
    request.timeout = timeout
    request.spin_thread = 32 + 5  # the second block's sixth thread
    request.limit_ns = 300_000_000
    for place, address in enumerate(spun or []):
        request.spin_pcs[place] = address
    for name, value in values.items():
        setattr(request, name, value)
    launch = Launch(Dim3(blocks), Dim3(32))
    return SimpleNamespace(request=request, launch=launch, line=LINES.get)


def test_a_launch_that_ends_in_time_is_no_violation() -> None:
    assert timeout_violation(call(Timeout.IN_TIME)) is None


def test_a_spinning_thread_is_named_with_its_line() -> None:
    found = timeout_violation(call(Timeout.SPINNING, [100, 108, 112]))
    assert found is not None
    assert found.kind is ViolationKind.ENDLESS
    assert (found.thread.block, found.thread.thread) == (Dim3(1, 0, 0), Dim3(5, 0, 0))
    assert found.line == 9
    assert found.count == 1
    assert (found.access, found.space) == (AccessKind.READ, Space.GLOBAL)
    assert (found.array, found.index) == ("", 0)
    assert str(found.detail) == "Timeout: the kernel ran longer than 300 ms and was stopped."


def test_the_line_that_was_seen_most_often_wins_and_then_the_first() -> None:
    assert _line([116, 100, 104]) == 7
    assert _line([108, 112, 100, 104]) == 7
    assert _line([108, 112, 116]) == 9
    assert _line([999] * SPIN_SAMPLES) == 0
    assert _line([999, 998, 116]) == 3


def test_a_line_that_the_engine_names_itself_comes_first() -> None:
    assert _line([108, 112], spin_line=21) == 21


def _line(spun: list[int], **values: int) -> int:
    found = timeout_violation(call(Timeout.SPINNING, spun, **values))
    assert found is not None
    return found.line


def test_a_launch_that_is_just_long_names_no_line() -> None:
    found = timeout_violation(call(Timeout.TOO_LONG, [100], blocks_done=3, spin_line=21))
    assert found is not None
    assert found.kind is ViolationKind.TOO_LONG
    assert found.line == 0
    assert str(found.detail) == (
        "Timeout after 300 ms: the launch was stopped after 3 of 4 blocks."
    )


@pytest.mark.parametrize(
    ("blocks", "done", "expected"),
    [
        (1, 0, "the launch was stopped after 0 of 1 block."),
        (2000, 1500, "the launch was stopped after 1,500 of 2,000 blocks."),
    ],
)
def test_the_blocks_that_were_done_are_counted(blocks: int, done: int, expected: str) -> None:
    text = timeout_text(call(Timeout.TOO_LONG, blocks=blocks, blocks_done=done))
    assert str(text) == f"Timeout after 300 ms: {expected}"


def test_a_plain_run_names_line_and_thread_in_one_sentence() -> None:
    who = "block (1, 0, 0), thread (5, 0, 0)"
    assert str(timeout_text(call(Timeout.SPINNING, [100]))) == (
        f"Timeout: the kernel was stopped in line 7 ({who})."
    )
    assert str(timeout_text(call(Timeout.SPINNING))) == (
        f"Timeout: the kernel was stopped ({who})."
    )
