# SPDX-License-Identifier: MIT
"""Which bracket belongs to the one at the cursor."""

from __future__ import annotations

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {close: open_ for open_, close in _CLOSING.items()}
_NO_CODE = frozenset(("code-com", "code-num"))
"""Tones of what may hold brackets that mean nothing: comments, and strings among the numbers."""


def code_alone(text: str, spans: list[list[Span]]) -> str:
    """A source with blanks where comments and strings stand; ``spans`` as of the highlighter."""
    lines = text.split("\n")
    for number, line_spans in enumerate(spans[: len(lines)]):
        for start, length, tone in line_spans:
            if tone in _NO_CODE:
                line = lines[number]
                lines[number] = line[:start] + " " * length + line[start + length :]
    return "\n".join(lines)


def bracket_pair(code: str, cursor: int) -> tuple[int, int | None] | None:
    """Places of the bracket beside the cursor and of its partner, None for one that has none.

    Of two brackets beside the cursor the one behind it counts.
    """
    for place in (cursor, cursor - 1):
        if 0 <= place < len(code) and code[place] in _CLOSING | _OPENING:
            return place, _partner(code, place)
    return None


def _partner(code: str, place: int) -> int | None:
    """Where the bracket's partner stands; those between must belong to each other."""
    forward = code[place] in _CLOSING
    partners = _CLOSING if forward else _OPENING
    wanted: list[str] = []
    for at in range(place, len(code) if forward else -1, 1 if forward else -1):
        if code[at] in partners:
            wanted.append(partners[code[at]])
        elif code[at] in partners.values():
            if wanted.pop() != code[at]:
                return None
            if not wanted:
                return at
    return None


Span = tuple[int, int, str]
"""First column from 0, length, token of the theme."""
