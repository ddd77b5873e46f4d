# SPDX-License-Identifier: MIT
"""The text that the emulator's compiler gets: host code blanked, shared memory redirected.

Lines stay the user's. Every block that runs has its own copy of shared memory, so a shared
variable becomes a reference into that copy: the declaration is kept under another name, where the
compiler works out its type and the linker its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadloom.backends.source.parsed import ParsedSource, SharedDeclaration
from threadloom.backends.source.syntax import below


@dataclass(frozen=True, slots=True)
class _Change:
    """Replace bytes ``start`` to ``end``."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Prepared:
    """The text to compile, and how to get back to the user's columns."""

    text: str
    shifts: tuple[tuple[int, int, int], ...]
    """Line, column (both from 1, of the prepared text) and by how many bytes what follows moved."""

    def column(self, line: int, column: int) -> int:
        """The user's column for one of the prepared text."""
        moved = sum(by for at, start, by in self.shifts if at == line and start < column)
        return max(column - moved, 1)


def hidden_name(declaration: SharedDeclaration) -> str:
    """Name that the declaration itself gets; its number is found again in the symbol table."""
    return f"_tl{declaration.number}_{declaration.name}"


def prepare(parsed: ParsedSource) -> Prepared:
    """Blank host code and redirect shared variables."""
    changes = [_blank(parsed.source, code.start_byte, code.end_byte) for code in parsed.host]
    for declaration in parsed.shared:
        changes += _redirected(parsed, declaration)
    return _apply(parsed.source, changes)


def _blank(source: bytes, start: int, end: int) -> _Change:
    return _Change(start, end, re.sub(rb"[^\n]", b" ", source[start:end]))


def _redirected(parsed: ParsedSource, declaration: SharedDeclaration) -> list[_Change]:
    hidden = hidden_name(declaration)
    at = declaration.identifier
    changes = [_Change(at.start_byte, at.end_byte, hidden.encode())]
    if declaration.dynamic:
        changes += _as_type(parsed.source, declaration)
        place = f" auto &{declaration.name} = *({hidden}*)_tl_dynamic();"
        element = f"(*({hidden}*)0)[0]"
    else:
        place = f" auto &{declaration.name} = _tl_shared({hidden});"
        element = hidden + "[0]" * len(declaration.dims)
    place += f" TL_BEHIND({declaration.number}, {element})"
    end = declaration.declaration.end_byte
    if declaration.function:
        return [*changes, _Change(end, end, place.encode())]
    for function in parsed.functions.values():
        if declaration.name in function.calls and declaration.name not in function.parameters:
            start = function.body.start_byte + 1
            changes.append(_Change(start, start, place.encode()))
    return changes


def _as_type(source: bytes, declaration: SharedDeclaration) -> list[_Change]:
    """``extern __shared__ float s[]`` names a type: its memory has no place until the launch."""
    changes = []
    for word in below(declaration.declaration, "extern", "__shared__"):
        text = b"typedef" if word.type == "extern" else b" " * (word.end_byte - word.start_byte)
        changes.append(_Change(word.start_byte, word.end_byte, text))
    return changes


def _apply(source: bytes, changes: list[_Change]) -> Prepared:
    parts: list[bytes] = []
    shifts: list[tuple[int, int, int]] = []
    done = 0
    for change in sorted(set(changes), key=lambda c: (c.start, c.end)):
        if change.start < done:
            continue  # two variables of one declaration share its words
        parts += [source[done : change.start], change.text]
        done = change.end
        if by := len(change.text) - (change.end - change.start):
            before = b"".join(parts)
            line = before.count(b"\n") + 1
            shifts.append((line, len(before) - before.rfind(b"\n") - 1 - max(by, 0), by))
    parts.append(source[done:])
    return Prepared(b"".join(parts).decode(errors="replace"), tuple(shifts))
