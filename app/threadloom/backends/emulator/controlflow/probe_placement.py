# SPDX-License-Identifier: MIT
"""Where probes are needed so that iterations of loops and taken paths are known from the log."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from threadloom.backends.emulator.controlflow.divergence import DivergenceAnalysis
from threadloom.backends.emulator.controlflow.events import Event, EventKind
from threadloom.backends.emulator.controlflow.ir import Instruction
from threadloom.backends.emulator.controlflow.taken_paths import Evidence, TakenPaths

_COST_OF_A_LOOP = 8


@dataclass(frozen=True, slots=True)
class Placement:
    """A function's events with the probes, and how the paths of each counted branch are known."""

    events: list[list[Event]]
    paths: TakenPaths
    evidence: dict[int, Evidence]
    """By the block that ends with the branch; those that are missing have a probe."""

    def cost(self) -> int:
        """Estimated cost of all probes: one in a loop runs more often."""
        graph = self.paths.divergence.graph
        probes = (EventKind.ITERATION, EventKind.TAKEN_PATH)
        return sum(
            _COST_OF_A_LOOP ** len(graph.around(event.block))
            for events in self.events
            for event in events
            if event.kind in probes
        )


def place_probes(
    divergence: DivergenceAnalysis, events: list[list[Event]], counted: Collection[int]
) -> Placement:
    """Place as few probes as suffice; `counted` are the blocks whose branches are counted."""
    iterations_first = _Placer(divergence, events, counted).place_all(iterations_first=True)
    if not iterations_first.cost():
        return iterations_first
    return min(
        _Placer(divergence, events, counted).place_all(iterations_first=False),
        iterations_first,
        key=Placement.cost,
    )


class _Placer:
    def __init__(
        self, divergence: DivergenceAnalysis, events: list[list[Event]], counted: Collection[int]
    ) -> None:
        self._divergence = divergence
        self._events = [[replace(event) for event in block] for block in events]
        self._counted = [block for block in divergence.graph.order if block in counted]

    def place_all(self, iterations_first: bool) -> Placement:
        if iterations_first:
            self._probe_iterations()
        while self._probe_paths() or self._probe_iterations():
            pass
        paths = TakenPaths(self._divergence, self._events)
        found = {
            block: paths.evidence(block)
            for block in self._counted
            if not self._has_path_probe(block)
        }
        return Placement(self._events, paths, {b: e for b, e in found.items() if e is not None})

    def _has_path_probe(self, block: int) -> bool:
        return any(event.kind is EventKind.TAKEN_PATH for event in self._events[block])

    def _probe_paths(self) -> bool:
        paths = TakenPaths(self._divergence, self._events)
        open_ = [block for block in self._counted if not self._has_path_probe(block)]
        missing = [block for block in open_ if paths.evidence(block) is None]
        for block in missing:
            end = self._divergence.function.blocks[block].end
            self._events[block].append(Event(EventKind.TAKEN_PATH, block, end.line))
        return bool(missing)

    def _probe_iterations(self) -> bool:
        loops = range(len(self._divergence.graph.loops))
        missing = [loop for loop in loops if self._iterations_are_lost(loop)]
        for loop in missing:
            head = self._divergence.graph.loops[loop].head
            self._events[head].insert(0, Event(EventKind.ITERATION, head, self._begin(head).line))
        return bool(missing)

    def _begin(self, block: int) -> Instruction:
        """The first instruction before which a probe may be inserted."""
        instructions = self._divergence.function.blocks[block].instructions
        return next(each for each in instructions if each.word != "phi")

    def _iterations_are_lost(self, loop: int) -> bool:
        """Whether lanes may run an iteration of a loop without any event."""
        graph = self._divergence.graph
        inside, head = graph.loops[loop].blocks, graph.loops[loop].head
        if any(event.kind is EventKind.ITERATION for event in self._events[head]):
            return False
        if not any(self._events[b] for b in graph.order if inside >> b & 1):
            return False
        if not any(inside >> branch & 1 for branch in self._divergence.branches):
            return False
        latches = [graph.dominators[latch] for latch in graph.latches(loop)]
        return not any(
            self._events[b] and all(passed >> b & 1 for passed in latches)
            for b in graph.order
            if graph.loop_of[b] == loop
        )
