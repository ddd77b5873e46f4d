# SPDX-License-Identifier: MIT
"""Site numbering: numbers all events of a program in control-flow order and fills the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from threadloom.backends.emulator.controlflow.debug_locations import DebugLocations
from threadloom.backends.emulator.controlflow.divergence import DivergenceAnalysis
from threadloom.backends.emulator.controlflow.events import Event, EventKind, ProbedFunctions
from threadloom.backends.emulator.controlflow.graph import Graph
from threadloom.backends.emulator.controlflow.ir import Function, functions_of
from threadloom.backends.emulator.controlflow.probe_placement import Placement, place_probes
from threadloom.backends.emulator.controlflow.table import (
    BranchRecord,
    FlowTable,
    LoopRecord,
    SiteRecord,
    TakenPath,
)
from threadloom.backends.emulator.controlflow.taken_paths import END, START

_ENTRY = "tl_enter"
_CALLED = re.compile(r'@([\w.$]+|"[^"]*")\(')


@dataclass(frozen=True, slots=True)
class SiteNumbering:
    """The events of all functions of a program, numbered, and their table."""

    functions: tuple[Function, ...]
    events: tuple[tuple[Function, Event], ...]
    table: FlowTable


def number_sites(lines: Sequence[str], filename: str) -> SiteNumbering:
    """Read LLVM IR, of which `filename` is the kernel's source."""
    functions = functions_of(lines)
    probed = ProbedFunctions.of(functions)
    kernels = {name for f in functions if f.name == _ENTRY for name in _called_by(f)}
    numbering = _Numbering(DebugLocations(lines, filename))
    for function in functions:
        if not function.hidden and any(probed.events(function)):
            numbering.add(function, probed, function.name in kernels)
    return SiteNumbering(functions, tuple(numbering.events), numbering.table)


def _called_by(function: Function) -> set[str]:
    found = (_CALLED.search(each.text) for each in function.instructions() if "call" in each.text)
    return {match[1] for match in found if match}


class _Numbering:
    def __init__(self, locations: DebugLocations) -> None:
        self.table = FlowTable()
        self.table.sites.extend((SiteRecord(0, 0), SiteRecord(0, 0)))
        self.events: list[tuple[Function, Event]] = []
        self._locations = locations

    def add(self, function: Function, probed: ProbedFunctions, kernel: bool) -> None:
        graph = Graph([block.following for block in function.blocks], function.ends())
        divergence = DivergenceAnalysis(function, graph, kernel)
        counted = [
            block
            for block in divergence.branches
            if any(self._locations.own(function.blocks[block].end.last))
        ]
        found = place_probes(divergence, probed.events(function), counted)
        self._number(function, graph, found)
        self._note_branches(function, graph, found, counted)

    def _number(self, function: Function, graph: Graph, found: Placement) -> None:
        loops: dict[int, int] = {-1: -1}
        for block in graph.order:
            for loop in reversed(graph.around(block)):
                if loop not in loops:
                    loops[loop] = self._loop(loops[graph.loops[loop].parent])
            for event in found.events[block]:
                self._site(function, event, loops[graph.loop_of[block]])

    def _loop(self, parent: int) -> int:
        depth = self.table.loops[parent].depth + 1 if parent >= 0 else 1
        self.table.loops.append(LoopRecord(len(self.table.sites), parent, depth))
        return len(self.table.loops) - 1

    def _site(self, function: Function, event: Event, loop: int) -> None:
        event.site = len(self.table.sites)
        self.events.append((function, event))
        for _number in range(event.sites):
            # Each byte of a range is an access of the same site, as in a loop.
            inside = self._loop(loop) if event.kind is EventKind.RANGE else loop
            self.table.sites.append(SiteRecord(*self._locations.of(event.line), inside))

    def _note_branches(
        self, function: Function, graph: Graph, found: Placement, counted: Sequence[int]
    ) -> None:
        paths = {e.block: e for b in found.events for e in b if e.kind is EventKind.TAKEN_PATH}
        for block in graph.order:
            if block not in counted:
                continue
            number = len(self.table.branches)
            location = self._locations.own(function.blocks[block].end.last)
            if block in paths:
                site = paths[block].site
                self._note_path_probe(site, number)
                self.table.branches.append(BranchRecord(*location, site))
                continue
            evidence = found.evidence[block]
            sites = [START, END, *(e.site for e in found.paths.numbered[2:] if e is not None)]
            self.table.branches.append(BranchRecord(*location, sites[evidence.source]))
            self.table.paths.extend(
                TakenPath(self._last(found, before, sites), number, sites[after], path)
                for (before, after), path in evidence.paths.items()
            )

    def _last(self, found: Placement, event: int, sites: Sequence[int]) -> int:
        """The last of an event's numbers: where a thread is when it has happened."""
        known = found.paths.numbered[event]
        return sites[event] + (known.sites - 1 if known is not None else 0)

    def _note_path_probe(self, site: int, branch: int) -> None:
        known = self.table.sites[site]
        self.table.sites[site] = SiteRecord(known.line, known.column, known.loop, branch)
