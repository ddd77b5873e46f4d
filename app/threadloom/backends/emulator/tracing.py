# SPDX-License-Identifier: MIT
"""From the engine's records to the model's trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from threadloom.backends.emulator.branching import branches_of
from threadloom.backends.emulator.interface import (
    ArrayArgument,
    Fault,
    FaultKind,
    RaceRecord,
    SiteCounters,
    Variable,
)
from threadloom.backends.emulator.launching import Call
from threadloom.backends.emulator.overdue import overdue_violation
from threadloom.backends.emulator.rows import block_trace
from threadloom.backends.emulator.touched import SiteKey, Touched, distinct_bytes
from threadloom.model.array import Array
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.message import NOTHING, Message, _, literal
from threadloom.model.trace import (
    AccessKind,
    Coverage,
    Race,
    Site,
    Space,
    Trace,
    Violation,
    ViolationKind,
)

_NO_ARRAY = 0xFFFFFFFF
_ACCESS = (AccessKind.READ, AccessKind.WRITE, AccessKind.ATOMIC)
_SEVERAL_WRITERS = 1
_KINDS = {
    FaultKind.OUT_OF_BOUNDS: ViolationKind.OUT_OF_BOUNDS,
    FaultKind.UNINITIALIZED: ViolationKind.UNINITIALIZED,
    FaultKind.MISALIGNED: ViolationKind.MISALIGNED,
    FaultKind.DIVERGENCE: ViolationKind.BARRIER_DIVERGENCE,
    FaultKind.WARP_WAITS: ViolationKind.WARP_DIVERGENCE,
    FaultKind.ABSENT_LANE: ViolationKind.ABSENT_LANE,
    FaultKind.LEFT_OUT: ViolationKind.LEFT_OUT,
    FaultKind.ASSERT: ViolationKind.ASSERT,
    FaultKind.STACK: ViolationKind.STACK_OVERFLOW,
    FaultKind.TRAP: ViolationKind.TRAP,
    FaultKind.DIVISION: ViolationKind.DIVISION,
    FaultKind.OVERFLOW: ViolationKind.DIVISION,
}


@dataclass(frozen=True, slots=True)
class Canvas:
    """Where the engine draws who wrote what, and the names of shared variables."""

    owner: Mapping[str, Array]
    writes: Mapping[str, Array]
    order: Mapping[str, Array]
    state: Mapping[str, Array]
    variables: tuple[Variable, ...]
    variable_names: tuple[str, ...]
    variable_types: tuple[str, ...]

    @classmethod
    def of(cls, call: Call, undefined: tuple[str, ...]) -> Canvas:
        """Fresh arrays for every array that the kernel may write, or that has no values yet."""
        owner: dict[str, Array] = {}
        writes: dict[str, Array] = {}
        order: dict[str, Array] = {}
        state: dict[str, Array] = {}
        for place, (name, array) in zip(call.arrays, call.packed.arrays.items(), strict=False):
            if not call.packed.writable[name] and name not in undefined:
                continue
            owner[name], writes[name], order[name], state[name] = _tables(array.size)
            _point(place, owner[name], writes[name], order[name], state[name])
            place.undefined = int(name in undefined)
        return cls(owner, writes, order, state, *_shared_variables(call))


def _tables(elements: int) -> tuple[Array, Array, Array, Array]:
    """Owner, writes, order and state by element: nobody has written yet.

    They lie in one piece, for which the system has larger pages than for several small ones.
    """
    types = (np.dtype(np.int64), np.dtype(np.uint32), np.dtype(np.uint32), np.dtype(np.uint8))
    piece = np.zeros(elements * sum(dtype.itemsize for dtype in types), np.uint8)
    tables, start = [], 0
    for dtype in types:
        end = start + elements * dtype.itemsize
        tables.append(piece[start:end].view(dtype))
        start = end
    owner, writes, order, state = tables
    owner.fill(-1)
    return owner, writes, order, state


def _point(place: ArrayArgument, owner: Array, writes: Array, order: Array, state: Array) -> None:
    place.traced = 1
    place.owner = owner.ctypes.data
    place.writes = writes.ctypes.data
    place.order = order.ctypes.data
    place.several = state.ctypes.data


def _shared_variables(
    call: Call,
) -> tuple[tuple[Variable, ...], tuple[str, ...], tuple[str, ...]]:
    """Static variables by place, then the dynamic memory under its first name."""
    by_number = {d.number: d for d in call.kernel.parsed.shared}
    used = {d.number for d in call.kernel.parsed.shared_of(call.kernel.entry)}
    variables, names, types = [], [], []
    for place in call.binary.shared:
        if place.number in used:
            variables.append(Variable(place.offset, place.bytes, max(place.item, 1), 0))
            names.append(by_number[place.number].name)
            types.append(by_number[place.number].type)
    for number in sorted(used):
        if by_number[number].dynamic:
            start = -(-call.binary.shared_bytes // 16) * 16
            item = max(call.binary.dynamic_items.get(number, 4), 1)
            variables.append(Variable(start, call.launch.shared_bytes, item, 0))
            names.append(by_number[number].name)
            types.append(by_number[number].type)
            break
    return tuple(variables), tuple(names), tuple(types)


def trace_of(
    call: Call,
    canvas: Canvas,
    block: Dim3 | None,
    outputs: tuple[str, ...],
    printed: tuple[str, ...],
) -> Trace:
    """Everything the engine noted, in the model's words and the user's lines."""
    request = call.request
    reading = _Reading(call, canvas)
    sites, numbers = reading.sites()
    wanted = outputs or tuple(call.outputs)
    late = overdue_violation(call)
    return Trace(
        coverage={name: reading.coverage(name) for name in wanted if name in call.outputs},
        sites=sites,
        accesses=request.accesses,
        distinct_bytes=distinct_bytes(call),
        oob_threads=request.oob_threads,
        oob_reads=request.oob_reads,
        oob_writes=request.oob_writes,
        uninitialized_reads=request.uninitialized,
        unchecked=request.unchecked,
        barrier_divergence=request.divergent,
        branches=branches_of(call),
        races=reading.races(),
        violations=(*reading.violations(), *([late] if late is not None else [])),
        block=block_trace(call, canvas.variable_names, canvas.variable_types, block, numbers)
        if block is not None
        else None,
        elapsed_s=request.elapsed_ns * 1e-9,
        printed=printed,
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    call: Call
    canvas: Canvas

    def coverage(self, name: str) -> Coverage:
        return Coverage(
            array=name,
            shape=np.asarray(self.call.outputs[name]).shape,
            owner=self.canvas.owner[name],
            writes=self.canvas.writes[name],
            order=self.canvas.order[name],
            multi_writer_mask=(self.canvas.state[name] & _SEVERAL_WRITERS).astype(bool),
        )

    def array_name(self, number: int, shared: bool) -> str:
        names = self.canvas.variable_names if shared else tuple(self.call.packed.arrays)
        return names[number] if number < len(names) else ""

    def place(self, address: int) -> tuple[int, int | None]:
        line, column = self.call.place(address)
        return line, column or None

    def sites(self) -> tuple[tuple[Site, ...], dict[tuple[int, int], int]]:
        """Sites by place, and the index of each (address, space)."""
        merged: dict[SiteKey, Site] = {}
        meeting: Counter[SiteKey] = Counter()
        keys: dict[tuple[int, int], SiteKey] = {}
        for seen in self.call.request.sites[: self.call.request.site_count]:
            site = self._site(seen)
            key = (site.line, site.column or 0, site.kind.value, site.space.value)
            merged[key] = _together(merged[key], site) if key in merged else site
            keys[seen.pc, seen.shared] = key
            meeting[key] += seen.meeting
        touched = Touched.of(self.call, self.array_name)
        order = {key: number for number, key in enumerate(sorted(merged))}
        sites = tuple(touched.told(key, merged[key], meeting[key]) for key in sorted(merged))
        return sites, {at: order[key] for at, key in keys.items()}

    def _site(self, seen: SiteCounters) -> Site:
        line, column = self.place(seen.pc)
        kind = AccessKind.READ if seen.kind < 5 else AccessKind.WRITE
        return Site(
            line=line,
            column=column,
            kind=kind if seen.kind < 10 else AccessKind.ATOMIC,
            space=Space.SHARED if seen.shared else Space.GLOBAL,
            array=self.array_name(seen.array, bool(seen.shared)),
            requests=seen.requests,
            sectors=seen.sectors,
            ideal_sectors=seen.ideal,
            bank_conflicts=seen.conflicts,
            active_lanes=seen.lanes,
            requested_bytes=seen.lanes * seen.size,
        )

    def violations(self) -> tuple[Violation, ...]:
        faults = self.call.request.faults[: self.call.request.fault_count]
        merged: dict[tuple[object, ...], Violation] = {}
        for fault in faults:
            violation = self._violation(fault)
            key = (violation.kind, violation.line, violation.access, violation.array)
            merged[key] = _worst(merged[key], violation) if key in merged else violation
        return tuple(
            sorted(
                merged.values(),
                key=lambda v: (v.kind.value, v.thread.global_index(self.call.launch), v.line),
            )
        )

    def _violation(self, fault: Fault) -> Violation:
        kind = FaultKind(fault.kind)
        says_line = kind in (FaultKind.ASSERT, FaultKind.DIVERGENCE)
        line = fault.site if says_line else self.place(fault.site)[0]
        return Violation(
            kind=_KINDS[kind],
            thread=ThreadId.of_global(self.call.launch, fault.thread),
            line=line,
            access=_ACCESS[fault.access],
            space=Space.SHARED if fault.shared else Space.GLOBAL,
            array=self.array_name(fault.array, bool(fault.shared)),
            index=fault.element,
            count=fault.count,
            threads=fault.threads,
            detail=self._detail(kind),
        )

    def _detail(self, kind: FaultKind) -> Message:
        if kind is FaultKind.ASSERT:
            return literal((self.call.request.message or b"").decode(errors="replace"))
        texts = {
            FaultKind.DIVISION: _("by zero: a GPU gives all ones"),
            FaultKind.OVERFLOW: _("the smallest number by −1: a GPU gives the smallest number"),
        }
        return texts.get(kind, NOTHING)

    def races(self) -> tuple[Race, ...]:
        merged: dict[tuple[object, ...], Race] = {}
        for record in self.call.request.races[: self.call.request.race_count]:
            race = self._race(record)
            key = (race.space, race.array, race.line, race.other_line)
            if key in merged:
                first = min(merged[key], race, key=self._first)
                race = replace(first, count=merged[key].count + race.count)
            merged[key] = race
        return tuple(sorted(merged.values(), key=self._first))

    def _first(self, race: Race) -> tuple[int, int]:
        return race.threads[0].global_index(self.call.launch), race.line

    def _race(self, record: RaceRecord) -> Race:
        launch = self.call.launch
        return Race(
            space=Space.SHARED if record.shared else Space.GLOBAL,
            array=self.array_name(record.array, bool(record.shared)),
            index=record.element,
            line=self.place(record.site)[0],
            other_line=self.place(record.other_site)[0],
            threads=(
                ThreadId.of_global(launch, record.thread),
                ThreadId.of_global(launch, record.other),
            ),
            count=record.count,
        )


def _together(one: Site, other: Site) -> Site:
    return replace(
        one,
        array=one.array if one.array == other.array else "",
        requests=one.requests + other.requests,
        sectors=one.sectors + other.sectors,
        ideal_sectors=one.ideal_sectors + other.ideal_sectors,
        bank_conflicts=one.bank_conflicts + other.bank_conflicts,
        active_lanes=one.active_lanes + other.active_lanes,
        requested_bytes=one.requested_bytes + other.requested_bytes,
    )


def _worst(one: Violation, other: Violation) -> Violation:
    return replace(one, count=one.count + other.count, threads=max(one.threads, other.threads))
