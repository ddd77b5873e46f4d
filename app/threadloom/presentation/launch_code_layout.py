# SPDX-License-Identifier: MIT
"""Breaks a launch into lines that fit the panel, at places where a user would break it."""

from __future__ import annotations

_INDENTS = ("    ", "  ", " ")
"""A narrower one is taken where it saves a line."""
_PLACES = (">>>", "), ", ", ")
"""Where to break, best first: before the arguments, between grid and block, between arguments."""


def broken(line: str, columns: int) -> str:
    """The line itself if it fits, else on lines of at most ``columns`` where that can be done."""
    if len(line) <= columns:
        return line
    layouts = (_broken(line, columns, indent) for indent in _INDENTS)
    return min(layouts, key=lambda layout: layout.count("\n"))


def _broken(line: str, columns: int, indent: str) -> str:
    if len(line) <= columns:
        return line
    for mark in _PLACES:
        place = line.rfind(mark, 0, columns + len(mark) - len(mark.rstrip()))
        if place >= 0:
            cut = place + len(mark)
            rest = _broken(line[cut:].lstrip(), columns - len(indent), indent)
            lines = [indent + part.lstrip() for part in rest.split("\n")]
            return "\n".join([line[:cut].rstrip(), *lines])
    return line
