# SPDX-License-Identifier: MIT
"""What keys do to code: pure functions from lines to lines."""

from __future__ import annotations

from collections.abc import Callable

Change = Callable[[list[str]], list[str]]
"""What can be done to lines."""

INDENT = 4


def to_next_stop(column: int) -> str:
    """Spaces from a column, counted from 0, to the next stop."""
    return " " * (INDENT - column % INDENT)


def indent_of(line: str) -> str:
    """Blanks at the start of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def indent_after(line: str) -> str:
    """Blanks that a new line below this one begins with: one stop more after an open brace."""
    indent = indent_of(line)
    code = line.split("//", 1)[0].rstrip()
    return indent + " " * INDENT if code.endswith(("{", "(")) else indent


def indented(lines: list[str]) -> list[str]:
    """Each line one stop to the right; empty ones stay empty."""
    return [" " * INDENT + line if line.strip() else line for line in lines]


def outdented(lines: list[str]) -> list[str]:
    """Each line up to one stop to the left."""
    result = []
    for line in lines:
        blanks = min(INDENT, len(indent_of(line)))
        result.append(line[blanks:])
    return result


def toggled_comment(lines: list[str]) -> list[str]:
    """Comment lines out with ``//``, or back in if all that hold anything are comments."""
    full = [line for line in lines if line.strip()]
    if full and all(line.lstrip().startswith("//") for line in full):
        return [_uncommented(line) for line in lines]
    column = min((len(indent_of(line)) for line in full), default=0)
    return [line[:column] + "// " + line[column:] if line.strip() else line for line in lines]


def _uncommented(line: str) -> str:
    before, mark, after = line.partition("//")
    return before + (after[1:] if after.startswith(" ") else after) if mark else line
