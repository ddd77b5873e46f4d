# SPDX-License-Identifier: MIT
"""Events that a thread logs: accesses, synchronization, calls, and probes for control flow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from threadloom.backends.emulator.controlflow.ir import Function, Instruction

_ACCESS = "@__sanitizer_cov_"
_GUARD = "@__sanitizer_cov_trace"
_RANGE = re.compile(r"^(?:tail |musttail |notail )?call void @llvm\.mem(?:cpy|move|set)\b")
_CALLED = re.compile(r'call\b.*?@([\w.$]+|"[^"]*")\(')
_ENGINE = frozenset(
    ("tl_atomic", "tl_atomic_increment", "tl_barrier", "tl_barrier_vote", "tl_warp_sync")
) | {"tl_shuffle", "tl_ballot", "tl_gather"}


class EventKind(Enum):
    """Kind of an event."""

    ACCESS = auto()
    RANGE = auto()
    """Bytes copied or filled: one site that reads, one that writes."""
    ENGINE = auto()
    """A call of the engine that logs it: an atomic, a barrier, a warp collective."""
    CALL = auto()
    """Call of an instrumented function, and its return."""
    ITERATION = auto()
    """Inserted probe: an iteration of a loop begins."""
    TAKEN_PATH = auto()
    """Inserted probe: which path a thread takes at a branch."""


_SITES = {EventKind.RANGE: 2, EventKind.CALL: 2}


@dataclass(slots=True)
class Event:
    """Something that is logged before the instruction in `line` is run."""

    kind: EventKind
    block: int
    line: int
    site: int = 0
    """Its number, in control-flow order; some events have two."""

    @property
    def sites(self) -> int:
        """How many site numbers it takes."""
        return _SITES.get(self.kind, 1)


@dataclass(frozen=True, slots=True)
class ProbedFunctions:
    """Which of a program's functions log events."""

    engine: frozenset[str]
    """Functions of the engine, and those that do nothing but call them."""
    functions: frozenset[str]
    """Functions of the kernel's source that were not inlined."""

    @classmethod
    def of(cls, functions: Iterable[Function]) -> ProbedFunctions:
        """Found by their names and by what hidden functions call."""
        hidden = {f.name: {_called(i) for i in f.instructions()} for f in functions if f.hidden}
        ours = {f.name for f in functions if not f.hidden}
        engine = set(_ENGINE)
        while new := {
            n for n, c in hidden.items() if n not in engine and c & engine and not c & ours
        }:
            engine |= new
        return cls(frozenset(engine), frozenset(ours))

    def events(self, function: Function) -> list[list[Event]]:
        """The events of each block of a function, in order."""
        return [
            [
                Event(kind, number, each.line)
                for each in block.instructions
                if (kind := self._kind(each)) is not None
            ]
            for number, block in enumerate(function.blocks)
        ]

    def _kind(self, each: Instruction) -> EventKind | None:
        if "call " not in each.text:
            return None
        if _ACCESS in each.text:
            return None if _GUARD in each.text else EventKind.ACCESS
        if _RANGE.match(each.text):
            return EventKind.RANGE
        called = _called(each)
        if called in self.engine:
            return EventKind.ENGINE
        indirect = not called and " asm " not in each.text
        return EventKind.CALL if indirect or called in self.functions else None


def _called(each: Instruction) -> str:
    found = _CALLED.search(each.text)
    return found[1] if found else ""
