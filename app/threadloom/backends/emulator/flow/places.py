# SPDX-License-Identifier: MIT
"""Lines of the kernel's source for the instructions of the compiler's intermediate code."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DEBUG = re.compile(r"!dbg !(\d+)")
_NUMBERED = re.compile(
    r"^!(\d+) = (?:distinct )?(!DI(?:Location|File|Subprogram|LexicalBlock)\w*\(.*)$"
)
_LOCATION = re.compile(r"line: (\d+)(?:, column: (\d+))?, scope: !(\d+)(?:, inlinedAt: !(\d+))?")
_FILE = re.compile(r"\bfile: !(\d+)")
_NAME = re.compile(r'filename: "([^"]*)"')


class Places:
    """Reads what the compiler noted of where each instruction comes from."""

    def __init__(self, lines: Sequence[str], filename: str) -> None:
        self._lines = lines
        self._filename = filename
        found = (_NUMBERED.match(line) for line in lines if line.startswith("!"))
        self._notes = {match[1]: match[2] for match in found if match}

    def of(self, line: int) -> tuple[int, int]:
        """Line and column in the kernel's source of the instruction in a line of the code.

        What was put in from the engine's headers belongs to where it was called. 0, 0 if unknown.
        """
        match = _DEBUG.search(self._lines[line])
        at = match[1] if match else ""
        while (found := _LOCATION.search(self._notes.get(at, ""))) is not None:
            if self._is_ours(found[3]):
                return int(found[1]), int(found[2] or 0)
            at = found[4] or ""
        return 0, 0

    def own(self, line: int) -> tuple[int, int]:
        """The same, but 0, 0 for what was put in from elsewhere."""
        match = _DEBUG.search(self._lines[line])
        found = _LOCATION.search(self._notes.get(match[1], "")) if match else None
        if found is None or not self._is_ours(found[3]):
            return 0, 0
        return int(found[1]), int(found[2] or 0)

    def _is_ours(self, scope: str) -> bool:
        file = _FILE.search(self._notes.get(scope, ""))
        name = _NAME.search(self._notes.get(file[1], "")) if file else None
        return name is not None and name[1] == self._filename
