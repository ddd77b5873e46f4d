# SPDX-License-Identifier: MIT
"""How the threads of a kernel may synchronize, as far as its text shows; rather too much."""

from __future__ import annotations

import re

from threadloom.backends.source import ParsedSource
from threadloom.backends.source.syntax import text_of

_COLLECTIVES = re.compile(
    r"__sync(?:threads|warp)|__shfl|__ballot|__any_sync|__all_sync|__uni_sync|__match_|__reduce_"
    r"|__activemask|\bsync\s*\(|cooperative_groups|\bcg::"
)
_FENCES = re.compile(
    r"\b(?:__threadfence(?:_block|_system)?|atomic_thread_fence|memory_order\w*)\b|\batomic(?:_ref)?\s*<"
)
_GRID_GROUP = re.compile(
    r"\b(?:grid_group\s*(?:const\s*)?&?|auto(?=\s+\w+\s*=\s*[\w:]*\bthis_grid\b))\s*(?P<name>\w+)"
)
_GRID_SYNC = re.compile(r"\bthis_grid\s*\(\s*\)\s*\.\s*sync\s*\(|\bsync\s*\(\s*[\w:]*this_grid\b")


def uses_fences(parsed: ParsedSource) -> bool:
    """Whether threads may synchronize by fences and flags."""
    return _FENCES.search(parsed.text) is not None


def uses_collectives(parsed: ParsedSource, entry: str) -> bool:
    """Whether threads may wait for each other at barriers or warp collectives."""
    elsewhere = parsed.source
    for function in parsed.definitions:
        body = parsed.source[function.body.start_byte : function.body.end_byte]
        elsewhere = elsewhere.replace(body, b"")
    for code in parsed.host:
        elsewhere = elsewhere.replace(parsed.source[code.start_byte : code.end_byte], b"")
    reached = parsed.reached(entry)
    texts = [text_of(parsed.source, f.body) for f in parsed.definitions if f.name in reached]
    return any(_COLLECTIVES.search(text) for text in [*texts, elsewhere.decode(errors="replace")])


def syncs_grid(parsed: ParsedSource, entry: str) -> bool:
    """Whether a kernel waits for all blocks (``grid.sync()``): its launch is cooperative."""
    reached = parsed.reached(entry)
    texts = [text_of(parsed.source, f.whole) for f in parsed.definitions if f.name in reached]
    names = {match["name"] for text in texts for match in _GRID_GROUP.finditer(text)}
    waits = "|".join(
        part for name in names for part in (rf"\b{name}\s*\.\s*sync\b", rf"\bsync\s*\(\s*{name}\b")
    )
    return any(
        _GRID_SYNC.search(text) or (waits and re.search(waits, text) is not None) for text in texts
    )
