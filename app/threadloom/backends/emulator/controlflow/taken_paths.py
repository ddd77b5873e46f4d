# SPDX-License-Identifier: MIT
"""Which path of a branch a thread took, inferred from its events before and after.

A branch needs no probe of its own if the next event differs from path to path, if lanes do not
reconverge between the last event and the branch, and if an event is executed exactly as often.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from threadloom.backends.emulator.controlflow.divergence import DivergenceAnalysis
from threadloom.backends.emulator.controlflow.events import Event, EventKind
from threadloom.backends.emulator.controlflow.graph import Graph, bits

START, END = 0, 1
"""Numbers of the start and the end of a thread among the events."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How a branch's taken paths are known: events by their numbers among those of the function."""

    source: int
    """The event that is executed as often as the branch."""
    paths: Mapping[tuple[int, int], int]
    """By the events before and after it, the number of the path."""


@dataclass
class TakenPaths:
    """The events of a function, and what follows from them for its branches."""

    divergence: DivergenceAnalysis
    events: Sequence[Sequence[Event]]
    numbered: list[Event | None] = field(default_factory=lambda: [None, None])

    def __post_init__(self) -> None:
        self._graph: Graph = self.divergence.graph
        self._blocks = self.divergence.function.blocks
        self._ids: list[list[int]] = [[] for _block in self._blocks]
        for block in self._graph.order:
            for event in self.events[block]:
                self._ids[block].append(len(self.numbered))
                self.numbered.append(event)
        self._first = self._firsts()

    def evidence(self, branch: int) -> Evidence | None:
        """How the paths of the branch at a block's end are known; None if it needs a probe."""
        before = self._before(branch)
        source = self._as_often(branch)
        if before is None or source is None:
            return None
        paths = [self._first[target] for target in self._blocks[branch].following]
        if _overlap(paths):
            return None
        if not self.divergence.kernel and (
            before & 1 << START or any(path & 1 << END for path in paths)
        ):
            return None  # what comes before and after depends on the caller
        elsewhere = [self._elsewhere(event, branch) for event in bits(before)]
        if any(path & other for path in paths for other in elsewhere):
            return None
        by_neighbors = {
            (first, after): number
            for first in bits(before)
            for number, path in enumerate(paths)
            for after in bits(path)
        }
        return Evidence(source, by_neighbors)

    def _returns(self, block: int) -> bool:
        return block in self._graph.ends

    def _firsts(self) -> list[int]:
        """By block, the events that may come first from its start on."""
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
        """The last events before a branch; None if lanes may have reconverged since."""
        found, seen, open_ = 0, {branch}, [branch]
        while open_:
            block = open_.pop()
            if self._ids[block]:
                found |= 1 << self._ids[block][-1]
                continue
            if block in self.divergence.reconvergence:
                return None
            if block == self._graph.order[0]:
                found |= 1 << START
            new = [b for b in self._graph.before[block] if b not in seen]
            seen.update(new)
            open_ += new
        return found

    def _elsewhere(self, event: int, branch: int) -> int:
        """The events that may follow an event without the branch between."""
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
        """An event that is executed whenever the branch is, once for all converged lanes."""
        graph = self._graph
        for block in graph.order:
            if graph.loop_of[block] != graph.loop_of[branch] or not self._always_together(
                block, branch
            ):
                continue
            if self.divergence.kernel and block == graph.order[0]:
                return START
            for event in self._ids[block]:
                known = self.numbered[event]
                if known is not None and known.kind is not EventKind.RANGE:
                    return event
        return None

    def _always_together(self, one: int, other: int) -> bool:
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
