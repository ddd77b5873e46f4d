# SPDX-License-Identifier: MIT
"""Kernels whose blocks wait for each other (``grid.sync()``): all of them must run at once."""

from __future__ import annotations

import re

from threadloom.backends.base import LaunchError
from threadloom.backends.source import ParsedSource
from threadloom.backends.source.syntax import text_of
from threadloom.model.launch import Launch
from threadloom.model.message import _, count

MOST_BLOCKS = 64
"""``TL_WORKERS`` of ``engine/memory.h``: each block has a core's place of its own."""
MOST_THREADS = 16 * 1024
"""Each has a stack that is a mapping of its own, and a process may have only so many."""

_NAMED = re.compile(
    r"\b(?:grid_group\s*(?:const\s*)?&?|auto(?=\s+\w+\s*=\s*[\w:]*\bthis_grid\b))\s*(?P<name>\w+)"
)
_AT_ONCE = re.compile(r"\bthis_grid\s*\(\s*\)\s*\.\s*sync\s*\(|\bsync\s*\(\s*[\w:]*this_grid\b")


def blocks_meet(parsed: ParsedSource, entry: str) -> bool:
    """Whether the text has a kernel wait for all blocks of its launch."""
    reached = parsed.reached(entry)
    texts = [text_of(parsed.source, f.whole) for f in parsed.definitions if f.name in reached]
    names = {match["name"] for text in texts for match in _NAMED.finditer(text)}
    waits = "|".join(
        part for name in names for part in (rf"\b{name}\s*\.\s*sync\b", rf"\bsync\s*\(\s*{name}\b")
    )
    return any(
        _AT_ONCE.search(text) or (waits and re.search(waits, text) is not None) for text in texts
    )


def check_together(name: str, launch: Launch) -> None:
    """Refuse a launch of which the engine cannot run all blocks at once.

    Raises:
        LaunchError: With what there is room for.
    """
    blocks = launch.grid.count
    threads = blocks * launch.threads_per_block
    if blocks > MOST_BLOCKS or threads > MOST_THREADS:
        message = _(
            "Blocks of {name} wait for each other (grid.sync()), so all must run at once: the "
            "emulator has room for {most_blocks} blocks with {most_threads} threads together; "
            "this launch has {blocks} with {threads}."
        )
        raise LaunchError(
            message.format(
                name=name,
                most_blocks=count(MOST_BLOCKS),
                most_threads=count(MOST_THREADS),
                blocks=count(blocks),
                threads=count(threads),
            )
        )
