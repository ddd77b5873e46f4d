# SPDX-License-Identifier: MIT
"""What the assembler tells of each kernel with ``-v`` (CUDA Compiler Driver NVCC, 5.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_ENTRY = re.compile(r"Compiling entry function '(?P<symbol>[^']+)'")
_PROPERTIES = re.compile(r"Function properties for (?P<symbol>\S+)")
_FRAME = re.compile(
    r"(?P<frame>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, "
    r"(?P<loads>\d+) bytes spill loads"
)
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+)(?:\+\d+)? bytes smem")
_STACK = re.compile(r"(\d+) bytes cumulative stack size")


@dataclass(frozen=True, slots=True)
class Usage:
    """What one kernel uses; sizes in bytes."""

    registers: int
    """Of a thread."""
    shared: int = 0
    """Static shared memory of a block."""
    stack: int = 0
    """Local memory of a thread, that of the functions it calls included."""
    spill_stores: int = 0
    spill_loads: int = 0


def usages(log: str) -> Mapping[str, Usage]:
    """What a verbose log tells of each kernel, by symbol."""
    found: dict[str, Usage] = {}
    for part in re.split(r"(?=^.*Compiling entry function)", log, flags=re.M):
        entry, registers = _ENTRY.search(part), _REGISTERS.search(part)
        if entry is not None and registers is not None:
            found[entry["symbol"]] = _usage(part, entry["symbol"], int(registers[1]))
    return found


def _usage(part: str, symbol: str, registers: int) -> Usage:
    shared, stack = _SHARED.search(part), _STACK.search(part)
    own = next((m for m in _PROPERTIES.finditer(part) if m["symbol"] == symbol), None)
    frame = _FRAME.search(part, own.end()) if own else None
    sizes = (frame["frame"], frame["stores"], frame["loads"]) if frame else ("0", "0", "0")
    own_frame, stores, loads = (int(size) for size in sizes)
    return Usage(
        registers=registers,
        shared=int(shared[1]) if shared else 0,
        stack=max(own_frame, int(stack[1]) if stack else 0),
        spill_stores=stores,
        spill_loads=loads,
    )
