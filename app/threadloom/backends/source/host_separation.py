# SPDX-License-Identifier: MIT
"""The text that the emulator's compiler gets: host code blanked, shared memory redirected.

Lines stay the user's. Every block that runs has its own copy of shared memory, so a shared
variable becomes a reference into that copy. Its declaration becomes that of a type, of which a
place is kept that the linker lays out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadloom.backends.source.expansion import Expansion
from threadloom.backends.source.parsed import GlobalVariable, ParsedSource, SharedDeclaration
from threadloom.backends.source.syntax import below

# Everything that device code may use is declared already, and nothing is read from elsewhere.
_FROM_FILES = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import|embed)\b.*$", re.M)


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
    expansion: Expansion
    """Where the text that was prepared stands in the user's."""

    def column(self, line: int, column: int) -> int:
        """The user's column for one of the prepared text."""
        moved = sum(by for at, start, by in self.shifts if at == line and start < column)
        return self.expansion.column(line, max(column - moved, 1))


def hidden_name(declaration: SharedDeclaration) -> str:
    """Name that the declared type gets."""
    return f"_tl{declaration.number}_{declaration.name}"


def prepare(parsed: ParsedSource) -> Prepared:
    """Blank host code and redirect shared variables."""
    changes = [_blank(parsed.source, code.start_byte, code.end_byte) for code in parsed.host]
    for declaration in parsed.shared:
        changes += _redirected(parsed, declaration)
    for variable in parsed.globals:
        changes += _relocatable(parsed.source, variable)
    changes += [_blank(parsed.source, *m.span()) for m in _FROM_FILES.finditer(parsed.source)]
    return _apply(parsed, changes)


def _blank(source: bytes, start: int, end: int) -> _Change:
    return _Change(start, end, re.sub(rb"[^\n]", b" ", source[start:end]))


def _redirected(parsed: ParsedSource, declaration: SharedDeclaration) -> list[_Change]:
    """Make the declaration a type's, and the name a reference to a place of that type."""
    hidden = hidden_name(declaration)
    at = declaration.identifier
    changes = [_Change(at.start_byte, at.end_byte, hidden.encode())]
    changes += _as_type(parsed.source, declaration)
    number, name = declaration.number, declaration.name
    if declaration.dynamic:
        place = f" TL_ITEM({number}, (*({hidden}*)0)[0])"
        reference = f" auto &{name} = *({hidden}*)_tl_dynamic();"
    else:
        element = f"(*({hidden}*)0)" + "[0]" * len(declaration.dims)
        place = f" TL_PLACE({number}, {hidden}) TL_ITEM({number}, {element})"
        reference = f" auto &{name} = _tl_shared(_tlvar{number}_);"
    end = declaration.declaration.end_byte
    if declaration.function:
        return [*changes, _Change(end, end, (place + reference).encode())]
    changes.append(_Change(end, end, place.encode()))
    for function in parsed.definitions:
        if name in function.calls and name not in function.parameters:
            start = function.body.start_byte + 1
            changes.append(_Change(start, start, reference.encode()))
    return changes


def _relocatable(source: bytes, variable: GlobalVariable) -> list[_Change]:
    """Let the code find a variable through a table of addresses, as one of another library.

    So the engine can lay it among the arrays, where what lies beside it is nobody's.
    """
    whole, number = variable.declaration, variable.number
    words = [w for w in below(whole, "static") if w.start_byte < variable.declarator.start_byte]
    changes = [_padded(word.start_byte, word.end_byte, b"") for word in words]
    linkage = b""
    if (
        variable.const
    ):  # which would make it this file's own, and its values a matter of the compiler
        linkage = b"extern TL_OPEN " if variable.dims else b"extern "
    changes.append(_Change(whole.start_byte, whole.start_byte, linkage + b"TL_GLOBAL "))
    end = variable.declarator.end_byte
    changes.append(_Change(end, end, f" TL_NAMED({number})".encode()))
    element = variable.name + "[0]" * len(variable.dims)
    last = f" TL_GLOBAL_ITEM({number}, {element})".encode()
    return [*changes, _Change(whole.end_byte, whole.end_byte, last)]


def _as_type(source: bytes, declaration: SharedDeclaration) -> list[_Change]:
    """``__shared__ float s[8]`` becomes ``typedef float …[8]``."""
    changes = []
    whole = declaration.declaration
    for word in below(whole, "extern", "static", "__shared__"):
        kept = b"typedef" if word.type == "__shared__" else b""
        changes.append(_padded(word.start_byte, word.end_byte, kept))
    text = source[whole.start_byte : whole.end_byte]
    for found in re.finditer(rb"\balignas\b", text):
        start = whole.start_byte + found.start()
        changes.append(_Change(start, start + 7, b"__align__"))
    return changes


def _padded(start: int, end: int, text: bytes) -> _Change:
    return _Change(start, end, text.ljust(end - start))


def _apply(parsed: ParsedSource, changes: list[_Change]) -> Prepared:
    source = parsed.source
    parts: list[bytes] = []
    shifts: list[tuple[int, int, int]] = []
    done = 0
    for change in sorted(set(changes), key=lambda c: (c.start, c.end, c.text)):
        if change.start < done:
            continue  # two variables of one declaration share its words
        parts += [source[done : change.start], change.text]
        done = change.end
        if by := len(change.text) - (change.end - change.start):
            before = b"".join(parts)
            line = before.count(b"\n") + 1
            shifts.append((line, len(before) - before.rfind(b"\n") - 1 - max(by, 0), by))
    parts.append(source[done:])
    text = b"".join(parts).decode(errors="replace")
    return Prepared(text, tuple(shifts), parsed.expansion)
