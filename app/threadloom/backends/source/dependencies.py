# SPDX-License-Identifier: MIT
"""Which types, constants and ``constexpr`` functions device code needs.

A whole program also has those of its host part, such as a timer around ``cudaEvent_t``, or names
of ``std::vector``. What no kernel mentions, by itself or through others, is left out with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from threadloom.backends.source.definitions import definitions
from threadloom.backends.source.parsed import HostCode, Optional

_WORD = re.compile(rb"[A-Za-z_]\w*")


def unneeded(
    source: bytes,
    items: Sequence[Optional],
    used: Sequence[Node],
    host: Sequence[HostCode],
    given: set[bytes],
) -> list[Optional]:
    """Those of the items that nothing in ``used`` mentions, directly or through others.

    ``given`` are names that are needed besides.
    """
    if not used:
        return []
    bodies = {name: set(_WORD.findall(macro.body)) for name, macro in definitions(source).items()}
    known: set[bytes] = set()
    new = given.union(*(_words(source, node, ()) for node in used))
    waiting = list(items)
    while new:
        known |= new
        kept = [item for item in waiting if known.intersection(n.encode() for n in item.names)]
        waiting = [item for item in waiting if item not in kept]
        found = [_words(source, item.node, host) for item in kept]
        found += [bodies.pop(name) for name in known & bodies.keys()]
        new = set().union(*found) - known
    return waiting


def template_arguments(source: bytes, kernels: Sequence[str]) -> set[bytes]:
    """Names in the template arguments with which host code launches these kernels."""
    pattern = rb"\b(?:%s)\s*<(?!<)([^;{}]*?)>\s*(?:<<<|\()"
    names = b"|".join(re.escape(name.encode()) for name in kernels)
    found = re.findall(pattern % names, source) if kernels else []
    return {word for arguments in found for word in _WORD.findall(arguments)}


def _words(source: bytes, node: Node, host: Sequence[HostCode]) -> set[bytes]:
    """What a stretch of the text mentions, without the host code in it."""
    text = bytearray(source[node.start_byte : node.end_byte])
    for code in host:
        if node.start_byte <= code.start_byte and code.end_byte <= node.end_byte:
            start, end = code.start_byte - node.start_byte, code.end_byte - node.start_byte
            text[start:end] = b" " * (end - start)
    return set(_WORD.findall(bytes(text)))
