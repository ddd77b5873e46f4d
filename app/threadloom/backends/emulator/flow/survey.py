# SPDX-License-Identifier: MIT
"""Numbers everything that a program tells of in the order of control, and notes it in a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from threadloom.backends.emulator.flow.code import Function, functions_of
from threadloom.backends.emulator.flow.events import Event, EventKind, Told
from threadloom.backends.emulator.flow.graph import Graph
from threadloom.backends.emulator.flow.lanes import Lanes
from threadloom.backends.emulator.flow.marks import Marked, marked
from threadloom.backends.emulator.flow.places import Places
from threadloom.backends.emulator.flow.table import (
    BranchPlace,
    FlowTable,
    LoopPlace,
    SitePlace,
    WayTold,
)
from threadloom.backends.emulator.flow.ways import END, START

_ENTRY = "tl_enter"
_CALLED = re.compile(r'@([\w.$]+|"[^"]*")\(')


@dataclass(frozen=True, slots=True)
class Survey:
    """The events of all functions of a program, numbered, and what is to be known of them."""

    functions: tuple[Function, ...]
    events: tuple[tuple[Function, Event], ...]
    table: FlowTable


def survey(lines: Sequence[str], filename: str) -> Survey:
    """Read the compiler's intermediate code, of which `filename` is the kernel's source."""
    functions = functions_of(lines)
    told = Told.of(functions)
    kernels = {name for f in functions if f.name == _ENTRY for name in _called_by(f)}
    numbering = _Numbering(Places(lines, filename))
    for function in functions:
        if not function.hidden and any(told.events(function)):
            numbering.add(function, told, function.name in kernels)
    return Survey(functions, tuple(numbering.events), numbering.table)


def _called_by(function: Function) -> set[str]:
    found = (_CALLED.search(each.text) for each in function.instructions() if "call" in each.text)
    return {match[1] for match in found if match}


class _Numbering:
    def __init__(self, places: Places) -> None:
        self.table = FlowTable()
        self.table.sites.extend((SitePlace(0, 0), SitePlace(0, 0)))
        self.events: list[tuple[Function, Event]] = []
        self._places = places

    def add(self, function: Function, told: Told, kernel: bool) -> None:
        graph = Graph([block.following for block in function.blocks], function.ends())
        lanes = Lanes(function, graph, kernel)
        counted = [
            block
            for block in lanes.branches
            if any(self._places.own(function.blocks[block].end.last))
        ]
        found = marked(lanes, told.events(function), counted)
        self._number(function, graph, found)
        self._note_branches(function, graph, found, counted)

    def _number(self, function: Function, graph: Graph, found: Marked) -> None:
        loops: dict[int, int] = {-1: -1}
        for block in graph.order:
            for loop in reversed(graph.around(block)):
                if loop not in loops:
                    loops[loop] = self._loop(loops[graph.loops[loop].parent])
            for event in found.events[block]:
                self._site(function, event, loops[graph.loop_of[block]])

    def _loop(self, parent: int) -> int:
        depth = self.table.loops[parent].depth + 1 if parent >= 0 else 1
        self.table.loops.append(LoopPlace(len(self.table.sites), parent, depth))
        return len(self.table.loops) - 1

    def _site(self, function: Function, event: Event, loop: int) -> None:
        event.site = len(self.table.sites)
        self.events.append((function, event))
        for _place in range(event.places):
            # Each byte of a stretch is an access of the same place, as in a loop.
            inside = self._loop(loop) if event.kind is EventKind.STRETCH else loop
            self.table.sites.append(SitePlace(*self._places.of(event.line), inside))

    def _note_branches(
        self, function: Function, graph: Graph, found: Marked, counted: Sequence[int]
    ) -> None:
        ways = {e.block: e for b in found.events for e in b if e.kind is EventKind.WAY}
        for block in graph.order:
            if block not in counted:
                continue
            number = len(self.table.branches)
            place = self._places.own(function.blocks[block].end.last)
            if block in ways:
                site = ways[block].site
                self._tells(site, number)
                self.table.branches.append(BranchPlace(*place, site))
                continue
            evidence = found.evidence[block]
            sites = [START, END, *(e.site for e in found.ways.numbered[2:] if e is not None)]
            self.table.branches.append(BranchPlace(*place, sites[evidence.source]))
            self.table.ways.extend(
                WayTold(self._last(found, before, sites), number, sites[after], way)
                for (before, after), way in evidence.ways.items()
            )

    def _last(self, found: Marked, event: int, sites: Sequence[int]) -> int:
        """The last of an event's numbers: where a thread is when it has happened."""
        known = found.ways.numbered[event]
        return sites[event] + (known.places - 1 if known is not None else 0)

    def _tells(self, site: int, branch: int) -> None:
        place = self.table.sites[site]
        self.table.sites[site] = SitePlace(place.line, place.column, place.loop, branch)
