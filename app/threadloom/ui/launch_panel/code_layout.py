# SPDX-License-Identifier: MIT
"""Breaks a launch into lines that fit the panel, at places where a person would break it."""

from __future__ import annotations

_INDENT = "    "
_PLACES = (">>>", "), ", ", ")
"""Where to break, best first: before the arguments, between grid and block, between arguments."""


def broken(line: str, columns: int) -> str:
    """The line itself if it fits, else on lines of at most ``columns`` where that can be done."""
    if len(line) <= columns:
        return line
    for mark in _PLACES:
        place = line.rfind(mark, 0, columns + len(mark) - len(mark.rstrip()))
        if place >= 0:
            cut = place + len(mark)
            rest = broken(line[cut:].lstrip(), columns - len(_INDENT))
            return line[:cut].rstrip() + "\n" + _indented(rest)
    return line


def _indented(text: str) -> str:
    return "\n".join(_INDENT + line.lstrip() for line in text.split("\n"))
