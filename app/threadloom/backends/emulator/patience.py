# SPDX-License-Identifier: MIT
"""Lets a thread that waits in a loop of its own make room for the one that it waits for."""

from __future__ import annotations

import re

_LOOKS = re.compile(
    r"^\s*(?:%\S+ = )?(?:load (?:atomic )?volatile|load atomic|atomicrmw|cmpxchg)\b.*?"
    r"(?P<place>, !dbg !\d+)?(?:, !\S+ !\d+)*$"
)
_DECLARED = "declare void @tl_relax()"


def with_patience(code: str) -> str:
    """The compiler's intermediate code with a call before each look at what another may change."""
    result: list[str] = []
    for line in code.splitlines():
        if (look := _LOOKS.match(line)) is not None:
            result.append(f"  call void @tl_relax(){look['place'] or ''}")
        result.append(line)
    return "\n".join((*result, _DECLARED)) + "\n"
