# SPDX-License-Identifier: MIT
"""Debug locations: lines and columns of the kernel's source for instructions of LLVM IR."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DEBUG = re.compile(r"!dbg !(\d+)")
_NUMBERED = re.compile(
    r"^!(\d+) = (?:distinct )?(!DI(?:Location|File|Subprogram|LexicalBlock)\w*\(.*)$"
)
_LOCATION = re.compile(r"line: (\d+)(?:, column: (\d+))?, scope: !(\d+)(?:, inlinedAt: !(\d+))?")
_POINTER = re.compile(r"\(ptr [^%()]*(%[\w.]+)")
_LOADED = re.compile(r"  (%[\w.]+) = load ")
_FILE = re.compile(r"\bfile: !(\d+)")
_NAME = re.compile(r'filename: "([^"]*)"')


class DebugLocations:
    """Reads the debug metadata of the instructions."""

    def __init__(self, lines: Sequence[str], filename: str) -> None:
        self._lines = lines
        self._filename = filename
        found = (_NUMBERED.match(line) for line in lines if line.startswith("!"))
        self._notes = {match[1]: match[2] for match in found if match}

    def of(self, line: int) -> tuple[int, int]:
        """Line and column in the kernel's source of the instruction in a line of the code.

        What was inlined from the engine's headers belongs to the call. An access that the compiler
        merged or moved has no line of its own: it takes that of its address, or of the use of its
        value, or else of its neighbor. 0, 0 if unknown.
        """
        location = self._noted(line)
        if location[0]:
            return location
        return self._of_address(line) or self._of_use(line) or self._of_neighbor(line)

    def _of_address(self, line: int) -> tuple[int, int] | None:
        pointer = _POINTER.search(self._lines[line])
        at = line
        while pointer is not None and not self._lines[at].startswith("define "):
            if self._lines[at].startswith(f"  {pointer[1]} = "):
                location = self._noted(at)
                return location if location[0] else None
            at -= 1
        return None

    def _of_use(self, line: int) -> tuple[int, int] | None:
        loaded = _LOADED.match(self._lines[line + 1])
        used = re.compile(rf"^(?!.* = phi ).*{loaded[1]}(?![\w.])") if loaded else None
        at = line + 2
        while used is not None and self._lines[at] != "}":
            if used.match(self._lines[at]) and (location := self._noted(at))[0]:
                return location
            at += 1
        return None

    def _of_neighbor(self, line: int) -> tuple[int, int]:
        for step in (-1, 1):
            at = line
            while self._is_instruction(at) and not self._noted(at)[0]:
                at += step
            if self._is_instruction(at):
                return self._noted(at)
        return 0, 0

    def _is_instruction(self, line: int) -> bool:
        """Whether a line is an instruction of a block."""
        return self._lines[line].startswith("  ")

    def _noted(self, line: int) -> tuple[int, int]:
        match = _DEBUG.search(self._lines[line])
        at = match[1] if match else ""
        while (found := _LOCATION.search(self._notes.get(at, ""))) is not None:
            if self._is_ours(found[3]):
                return int(found[1]), int(found[2] or 0)
            at = found[4] or ""
        return 0, 0

    def own(self, line: int) -> tuple[int, int]:
        """The same, but 0, 0 for what was inlined from elsewhere."""
        match = _DEBUG.search(self._lines[line])
        found = _LOCATION.search(self._notes.get(match[1], "")) if match else None
        if found is None or not self._is_ours(found[3]):
            return 0, 0
        return int(found[1]), int(found[2] or 0)

    def _is_ours(self, scope: str) -> bool:
        file = _FILE.search(self._notes.get(scope, ""))
        name = _NAME.search(self._notes.get(file[1], "")) if file else None
        return name is not None and name[1] == self._filename
