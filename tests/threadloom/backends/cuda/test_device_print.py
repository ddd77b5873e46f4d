# SPDX-License-Identifier: MIT

import ctypes
import os
import sys

import pytest

from threadloom.backends.cuda.device_print import MOST_LINES, printed_lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")


def test_what_is_written_below_python_is_caught(capfd: pytest.CaptureFixture[str]) -> None:
    libc = ctypes.CDLL(None)
    with printed_lines('printf("x")') as lines:
        libc.printf(b"thread %d\n", 3)
        os.write(1, b"second\n")
    os.write(1, b"after\n")
    assert set(lines) == {"thread 3", "second"}
    assert capfd.readouterr().out == "after\n"


def test_a_source_that_does_not_print_is_left_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with printed_lines("int x;") as lines:
        os.write(1, b"plain\n")
    assert lines == []
    assert capfd.readouterr().out == "plain\n"


def test_output_is_given_back_after_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        with printed_lines("printf"):
            os.write(1, b"lost\n")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    os.write(1, b"back\n")
    assert capfd.readouterr().out == "back\n"


def test_a_flood_is_cut(capfd: pytest.CaptureFixture[str]) -> None:
    with printed_lines("printf") as lines:
        os.write(1, b"x\n" * (MOST_LINES + 5))
    assert len(lines) == MOST_LINES
    assert capfd.readouterr().out == ""
