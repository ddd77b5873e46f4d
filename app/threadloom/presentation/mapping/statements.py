# SPDX-License-Identifier: MIT
"""What one warp does, statement by statement, from the accesses that its block was seen to make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from threadloom.backends.source import StatementKind, parse, statements
from threadloom.model.launch import WARP_SIZE
from threadloom.model.trace import AccessKind, BlockTrace, Site, Space

_OPENING = {StatementKind.INTEGER, StatementKind.BRANCH}
_MOST_OPENING = 3


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One access of the source, as a warp makes it."""

    label: str
    """The access as it is written in the source, such as ``a[i]``."""
    array: str
    line: int
    kind: AccessKind | None
    """None for index arithmetic and comparisons, which touch no memory."""
    space: Space
    lanes: npt.NDArray[np.bool_]
    """Which of the 32 lanes took part."""
    first: int
    """Step of the first time."""
    times: int
    """Most times that one lane made it."""


def access_text(source_line: str, array: str) -> str:
    """The access to an array as it stands in a line, brackets balanced; the name if not there."""
    start = 0
    while array and (start := source_line.find(array, start)) >= 0:
        before = source_line[start - 1 : start]
        rest = source_line[start + len(array) :].lstrip()
        if rest.startswith("[") and not (before.isalnum() or before == "_"):
            return array + _indices(rest)
        start += len(array)
    return array or "?"


def _indices(rest: str) -> str:
    depth, end = 0, 0
    for position, character in enumerate(rest):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            end = position + 1
            if not rest[end:].startswith("["):
                break
    return rest[:end]


def opening(source: str, kernel: str, before: int, lanes: npt.NDArray[np.bool_]) -> list[Statement]:
    """Index arithmetic and guards above the first access, which all lanes of a warp go through.

    They stand at the top of the kernel; what is nested deeper, or returns, is left out.
    """
    found = []
    for one in statements(parse(source), kernel):
        if one.line > before or one.kind not in _OPENING or one.text.startswith("return"):
            break
        label = _short(one.text)
        found.append(Statement(label, "", one.line, None, Space.GLOBAL, lanes, 0, 1))
    return found[-_MOST_OPENING:]


def _short(text: str) -> str:
    """A declaration's name with its sign, ``i =``; a condition without its brackets."""
    left, sign, _right = text.partition(" = ")
    if sign:
        return f"{left.split()[-1]} ="
    plain = text.strip()
    return plain[1:-1] if plain.startswith("(") and plain.endswith(")") else plain


def statements_of(
    trace: BlockTrace, sites: tuple[Site, ...], source: str, warp: int
) -> list[Statement]:
    """Accesses of a warp in the order in which it first makes them."""
    mine = np.flatnonzero(trace.thread // WARP_SIZE == warp)
    lines = source.splitlines()
    found = [
        _statement(trace, sites[int(number)], mine[trace.site[mine] == number], lines)
        for number in np.unique(trace.site[mine])
    ]
    return sorted(found, key=lambda statement: (statement.first, statement.line))


def _statement(
    trace: BlockTrace, site: Site, rows: npt.NDArray[np.int64], lines: list[str]
) -> Statement:
    lanes = np.zeros(WARP_SIZE, dtype=np.bool_)
    lanes[trace.thread[rows] % WARP_SIZE] = True
    text = lines[site.line - 1] if 0 < site.line <= len(lines) else ""
    times = np.bincount(trace.thread[rows] % WARP_SIZE)
    array = site.array or _array_of(trace, rows)
    return Statement(
        access_text(text, array),
        array,
        site.line,
        site.kind,
        site.space,
        lanes,
        int(trace.step[rows].min()),
        int(times.max()),
    )


def _array_of(trace: BlockTrace, rows: npt.NDArray[np.int64]) -> str:
    number = int(trace.array[rows[0]])
    return trace.arrays[number] if 0 <= number < len(trace.arrays) else ""
