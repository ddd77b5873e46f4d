# SPDX-License-Identifier: MIT
"""Breaks a launch into lines that fit the panel, at places where a person would break it."""

from __future__ import annotations

_INDENT = "    "


def broken(line: str, columns: int) -> str:
    """The line itself if it fits, else on two or more lines of at most ``columns`` if it can."""
    if len(line) <= columns:
        return line
    for mark in (">>>", "), "):
        place = line.find(mark)
        if place < 0:
            continue
        cut = place + len(mark)
        first, rest = line[:cut].rstrip(), line[cut:].lstrip()
        if len(first) <= columns:
            return first + "\n" + _INDENT + broken_at_commas(rest, columns - len(_INDENT))
    return line


def broken_at_commas(text: str, columns: int) -> str:
    """Text on lines of at most ``columns``, broken after commas."""
    if len(text) <= columns:
        return text
    cut = text.rfind(", ", 0, columns)
    if cut < 0:
        return text
    rest = broken_at_commas(text[cut + 2 :], columns)
    return text[: cut + 1] + "\n" + _INDENT + rest
