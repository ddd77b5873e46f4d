# SPDX-License-Identifier: MIT
"""Makes the engine's own reads ordinary ones, once the kernel's accesses have their hooks.

A kernel reads ``threadIdx`` and its like from the engine's state. So that these reads get no hooks,
they hide in assembly, which the compiler can neither join nor leave out where nobody wants what is
read. Behind the hooks they need not hide any longer.
"""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    r"^(?P<before>\s*%[\w.]+ = )(?:tail )?call (?:noundef )?(?P<type>i32|i64|ptr) "
    r'asm "(?:mov[lq]|ldr) [^"]*", "[^"]*"\((?P<place>.*?)\)'
    r"(?: #\d+)?(?P<after>, !dbg !\d+)?(?:, !|$)"
)
_PLACE = re.compile(r"%[\w.]+$|@[\w.]+$|getelementptr\b.*$")


def with_plain_reads(line: str) -> str:
    """A line of intermediate code; where it read the engine's state in assembly, a load."""
    if ' asm "' not in line or (hidden := _HIDDEN.match(line)) is None:
        return line
    place = _PLACE.search(hidden["place"])
    if place is None:
        return line
    return f"{hidden['before']}load {hidden['type']}, ptr {place[0]}{hidden['after'] or ''}"
