# SPDX-License-Identifier: MIT
"""Where marks must be set so that turns of loops and ways at branches can be told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from threadloom.backends.emulator.flow.code import Instruction
from threadloom.backends.emulator.flow.events import Event, EventKind
from threadloom.backends.emulator.flow.lanes import Lanes
from threadloom.backends.emulator.flow.ways import Evidence, Ways

_COST_OF_A_LOOP = 8


@dataclass(frozen=True, slots=True)
class Marked:
    """A function's events with the marks, and how each branch that is counted is told."""

    events: list[list[Event]]
    ways: Ways
    evidence: dict[int, Evidence]
    """By the block that ends with the branch; those that are missing have a mark."""

    def cost(self) -> int:
        """Of all marks, about: what stands in a loop is done more often."""
        graph = self.ways.lanes.graph
        marks = (EventKind.TURN, EventKind.WAY)
        return sum(
            _COST_OF_A_LOOP ** len(graph.around(event.block))
            for events in self.events
            for event in events
            if event.kind in marks
        )


def marked(lanes: Lanes, events: list[list[Event]], counted: Collection[int]) -> Marked:
    """Set as few marks as will do; `counted` are the blocks whose branches are to be told."""
    turns_first = _Marking(lanes, events, counted).set_all(turns_first=True)
    if not turns_first.cost():
        return turns_first
    return min(
        _Marking(lanes, events, counted).set_all(turns_first=False), turns_first, key=Marked.cost
    )


class _Marking:
    def __init__(self, lanes: Lanes, events: list[list[Event]], counted: Collection[int]) -> None:
        self._lanes = lanes
        self._events = [[replace(event) for event in block] for block in events]
        self._counted = [block for block in lanes.graph.order if block in counted]

    def set_all(self, turns_first: bool) -> Marked:
        if turns_first:
            self._mark_turns()
        while self._mark_ways() or self._mark_turns():
            pass
        ways = Ways(self._lanes, self._events)
        found = {block: ways.evidence(block) for block in self._counted if not self._has_way(block)}
        return Marked(self._events, ways, {b: e for b, e in found.items() if e is not None})

    def _has_way(self, block: int) -> bool:
        return any(event.kind is EventKind.WAY for event in self._events[block])

    def _mark_ways(self) -> bool:
        ways = Ways(self._lanes, self._events)
        open_ = [block for block in self._counted if not self._has_way(block)]
        missing = [block for block in open_ if ways.evidence(block) is None]
        for block in missing:
            end = self._lanes.function.blocks[block].end
            self._events[block].append(Event(EventKind.WAY, block, end.line))
        return bool(missing)

    def _mark_turns(self) -> bool:
        loops = range(len(self._lanes.graph.loops))
        missing = [loop for loop in loops if self._turns_are_lost(loop)]
        for loop in missing:
            head = self._lanes.graph.loops[loop].head
            self._events[head].insert(0, Event(EventKind.TURN, head, self._begin(head).line))
        return bool(missing)

    def _begin(self, block: int) -> Instruction:
        """The first instruction before which something may be put."""
        instructions = self._lanes.function.blocks[block].instructions
        return next(each for each in instructions if each.word != "phi")

    def _turns_are_lost(self, loop: int) -> bool:
        """Whether lanes may go round a loop, or through it, with nothing told in each turn."""
        graph = self._lanes.graph
        inside, head = graph.loops[loop].blocks, graph.loops[loop].head
        if any(event.kind is EventKind.TURN for event in self._events[head]):
            return False
        if not any(self._events[b] for b in graph.order if inside >> b & 1):
            return False
        if not any(inside >> branch & 1 for branch in self._lanes.branches):
            return False
        latches = [graph.dominators[latch] for latch in graph.latches(loop)]
        return not any(
            self._events[b] and all(passed >> b & 1 for passed in latches)
            for b in graph.order
            if graph.loop_of[b] == loop
        )
