# SPDX-License-Identifier: MIT
"""Writes out the macros that hide what a reader of the text must see: kernels, shared memory.

``KERNEL(scale, 4)`` becomes the function that it stands for, on the same line. Macros that say
nothing of where code runs are left to the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.backends.source.definitions import Macro, Use, definitions, uses

_TELLING = re.compile(rb"\b__(?:global|device|shared|constant|managed)__\b")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the written-out text that stands for a macro's use in the user's."""

    start: int
    end: int
    written_start: int
    """Where the use begins in the user's text."""
    written_end: int


@dataclass(frozen=True, slots=True)
class Expansion:
    """A text with its telling macros written out. Each line stays where it is."""

    text: bytes
    original: bytes
    """The user's text."""
    stretches: tuple[Stretch, ...] = ()

    def written(self, offset: int) -> int:
        """The user's byte offset for one of this text; inside of a macro's, the use's start."""
        moved = 0
        for stretch in self.stretches:
            if offset < stretch.start:
                break
            if offset < stretch.end:
                return stretch.written_start
            moved = stretch.written_end - stretch.end
        return offset + moved

    def column(self, line: int, column: int) -> int:
        """The user's column for one of this text, both from 1 and in bytes."""
        if not self.stretches:
            return column
        start = 0
        for _line in range(line - 1):
            start = self.text.find(b"\n", start) + 1
        written = self.written(start + column - 1)
        return written - self.original.rfind(b"\n", 0, written)

    def overlaps(self, start: int, end: int) -> bool:
        """Whether any part of these bytes comes from a macro."""
        return any(s.start < end and start < s.end for s in self.stretches)


def expand(source: bytes, given: Mapping[str, str]) -> Expansion:
    """Write out each macro that stands for something with a qualifier of CUDA's.

    ``given`` are those of the command line.
    """
    known = {name.encode(): Macro(None, value.encode()) for name, value in given.items()}
    known |= definitions(source)
    if not any(_TELLING.search(macro.body) for macro in known.values()):
        return Expansion(source, source)
    found = [use for use in uses(source, known) if _TELLING.search(use.expanded)]
    return _written_out(source, found) if found else Expansion(source, source)


def _written_out(source: bytes, found: list[Use]) -> Expansion:
    parts: list[bytes] = []
    stretches: list[Stretch] = []
    done = length = 0
    for use in found:
        # The lines of a use that goes over several are kept behind what it stands for.
        text = use.expanded + b"\n" * source.count(b"\n", use.start, use.end)
        before = source[done : use.start]
        start = length + len(before)
        stretches.append(Stretch(start, start + len(text), use.start, use.end))
        parts += [before, text]
        length = start + len(text)
        done = use.end
    return Expansion(b"".join([*parts, source[done:]]), source, tuple(stretches))
