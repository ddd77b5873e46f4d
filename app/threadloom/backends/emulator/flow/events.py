# SPDX-License-Identifier: MIT
"""What a thread tells of itself as it runs: accesses, waiting, calls, and marks for the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from threadloom.backends.emulator.flow.code import Function, Instruction

_ACCESS = "@__sanitizer_cov_"
_GUARD = "@__sanitizer_cov_trace"
_STRETCH = re.compile(r"^(?:tail |musttail |notail )?call void @llvm\.mem(?:cpy|move|set)\b")
_CALLED = re.compile(r'call\b.*?@([\w.$]+|"[^"]*")\(')
_ENGINE = frozenset(
    ("tl_atomic", "tl_counting", "tl_barrier", "tl_barrier_vote", "tl_warp_sync")
) | {"tl_shuffle", "tl_ballot", "tl_gather"}


class EventKind(Enum):
    """What happens."""

    ACCESS = auto()
    STRETCH = auto()
    """Bytes copied or filled: one place that is read, one that is written."""
    ENGINE = auto()
    """The engine is called, and tells of it: an atomic, a barrier, a wait of a warp."""
    CALL = auto()
    """A function that tells of itself is called, and comes back."""
    TURN = auto()
    """Set by us: a turn of a loop begins."""
    WAY = auto()
    """Set by us: which way a thread takes at a branch."""


_PLACES = {EventKind.STRETCH: 2, EventKind.CALL: 2}


@dataclass(slots=True)
class Event:
    """Something that is told, before the instruction in `line` is run."""

    kind: EventKind
    block: int
    line: int
    site: int = 0
    """Its number, which grows in the order of control; some events have two."""

    @property
    def places(self) -> int:
        """How many numbers it takes."""
        return _PLACES.get(self.kind, 1)


@dataclass(frozen=True, slots=True)
class Told:
    """Which of a program's functions tell something."""

    engine: frozenset[str]
    """Functions of the engine, and such as do nothing but call them."""
    functions: frozenset[str]
    """Functions of the kernel's source that were not put in where they are called."""

    @classmethod
    def of(cls, functions: Iterable[Function]) -> Told:
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
        """What each block of a function tells, in order."""
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
        if _STRETCH.match(each.text):
            return EventKind.STRETCH
        called = _called(each)
        if called in self.engine:
            return EventKind.ENGINE
        indirect = not called and " asm " not in each.text
        return EventKind.CALL if indirect or called in self.functions else None


def _called(each: Instruction) -> str:
    found = _CALLED.search(each.text)
    return found[1] if found else ""
