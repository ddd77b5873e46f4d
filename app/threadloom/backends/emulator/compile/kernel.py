# SPDX-License-Identifier: MIT
"""A compiled kernel: its instrumented library, and what its source says of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from threadloom.backends.emulator.compile.binary import Binary
from threadloom.backends.source import ParsedSource


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One kernel in its instrumented build, which the window needs after each edit.

    The uninstrumented one is built at its first run.
    """

    parsed: ParsedSource
    entry: str
    call: str
    """The entry with its template arguments, if it has any."""
    library: Path
    binary: Binary
    fibers: bool
    """Whether its threads wait for each other, so that each needs a stack (fiber) of its own."""
    cooperative: bool = False
    """Whether its blocks wait for each other, so that all must run at once."""
    uses_fences: bool = False
    """Whether its threads may synchronize by fences and flags, also across blocks."""
