# SPDX-License-Identifier: MIT
"""Which way of a branch a thread took, told from what it does before and after.

A branch needs no mark of its own if what comes next differs from way to way, if lanes do not meet
between what came last and the branch, and if something happens exactly as often as it is come to.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from threadloom.backends.emulator.flow.events import Event, EventKind
from threadloom.backends.emulator.flow.graph import Graph, bits
from threadloom.backends.emulator.flow.lanes import Lanes

START, END = 0, 1
"""Numbers of the begin and the end of a thread among the events."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How a branch is told: events by their numbers among those of the function."""

    source: int
    """What happens as often as the branch is come to."""
    ways: Mapping[tuple[int, int], int]
    """By what comes before and after it, the number of the way."""


@dataclass
class Ways:
    """The events of a function, and what they tell of its branches."""

    lanes: Lanes
    events: Sequence[Sequence[Event]]
    numbered: list[Event | None] = field(default_factory=lambda: [None, None])

    def __post_init__(self) -> None:
        self._graph: Graph = self.lanes.graph
        self._blocks = self.lanes.function.blocks
        self._ids: list[list[int]] = [[] for _block in self._blocks]
        for block in self._graph.order:
            for event in self.events[block]:
                self._ids[block].append(len(self.numbered))
                self.numbered.append(event)
        self._first = self._firsts()

    def evidence(self, branch: int) -> Evidence | None:
        """How the branch at a block's end is told; None if it needs a mark."""
        before = self._before(branch)
        source = self._as_often(branch)
        if before is None or source is None:
            return None
        ways = [self._first[target] for target in self._blocks[branch].following]
        if _overlap(ways):
            return None
        if not self.lanes.kernel and (before & 1 << START or any(way & 1 << END for way in ways)):
            return None  # what comes before and after depends on who called
        elsewhere = [self._elsewhere(event, branch) for event in bits(before)]
        if any(way & other for way in ways for other in elsewhere):
            return None
        told = {
            (first, after): number
            for first in bits(before)
            for number, way in enumerate(ways)
            for after in bits(way)
        }
        return Evidence(source, told)

    def _returns(self, block: int) -> bool:
        return block in self._graph.ends

    def _firsts(self) -> list[int]:
        """By block, what may happen first from its begin on."""
        first = [0] * len(self._blocks)
        changed = True
        while changed:
            changed = False
            for block in reversed(self._graph.order):
                found = self._first_of(block, first)
                changed |= found != first[block]
                first[block] = found
        return first

    def _first_of(self, block: int, first: Sequence[int]) -> int:
        if self._ids[block]:
            return 1 << self._ids[block][0]
        if self._returns(block):
            return 1 << END
        return _union(first[target] for target in self._blocks[block].following)

    def _before(self, branch: int) -> int | None:
        """What may have happened last at a branch; None if lanes may have met since."""
        found, seen, open_ = 0, {branch}, [branch]
        while open_:
            block = open_.pop()
            if self._ids[block]:
                found |= 1 << self._ids[block][-1]
                continue
            if block in self.lanes.meetings:
                return None
            if block == self._graph.order[0]:
                found |= 1 << START
            new = [b for b in self._graph.before[block] if b not in seen]
            seen.update(new)
            open_ += new
        return found

    def _elsewhere(self, event: int, branch: int) -> int:
        """What may happen next after an event without the branch between."""
        known = self.numbered[event]
        if known is None:
            open_ = [self._graph.order[0]]
        elif known.block == branch:
            return 0
        else:
            open_ = list(self._blocks[known.block].following)
            if not open_:
                return 1 << END
        found, seen = 0, {branch}
        while open_:
            block = open_.pop()
            if block in seen:
                continue
            seen.add(block)
            if self._ids[block]:
                found |= 1 << self._ids[block][0]
            elif self._returns(block):
                found |= 1 << END
            else:
                open_ += self._blocks[block].following
        return found

    def _as_often(self, branch: int) -> int | None:
        """An event that happens whenever lanes come to the branch, once for all of them."""
        graph = self._graph
        for block in graph.order:
            if graph.loop_of[block] != graph.loop_of[branch] or not self._together(block, branch):
                continue
            if self.lanes.kernel and block == graph.order[0]:
                return START
            for event in self._ids[block]:
                known = self.numbered[event]
                if known is not None and known.kind is not EventKind.STRETCH:
                    return event
        return None

    def _together(self, one: int, other: int) -> bool:
        """Whether each of two blocks is never passed without the other."""
        dominators, afterwards = self._graph.dominators, self._graph.afterwards
        return bool(
            (dominators[other] >> one & 1 and afterwards[one] >> other & 1)
            or (dominators[one] >> other & 1 and afterwards[other] >> one & 1)
        )


def _union(sets: Iterable[int]) -> int:
    return functools.reduce(operator.or_, sets, 0)


def _overlap(sets: Sequence[int]) -> bool:
    return sum(each.bit_count() for each in sets) != _union(sets).bit_count()
