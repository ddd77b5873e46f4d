# SPDX-License-Identifier: MIT
"""Violations and data races that the engine recorded, by line of the source."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from threadloom.backends.emulator.report.buffers import TraceBuffers
from threadloom.backends.emulator.runtime.abi import Fault, FaultKind, RaceRecord
from threadloom.backends.emulator.runtime.launch import Call
from threadloom.model.launch import ThreadId
from threadloom.model.message import NOTHING, Message, _, literal
from threadloom.model.trace import AccessKind, Race, Space, Violation, ViolationKind

_ACCESS = (AccessKind.READ, AccessKind.WRITE, AccessKind.ATOMIC)
_KINDS = {
    FaultKind.OUT_OF_BOUNDS: ViolationKind.OUT_OF_BOUNDS,
    FaultKind.UNINITIALIZED: ViolationKind.UNINITIALIZED,
    FaultKind.MISALIGNED: ViolationKind.MISALIGNED,
    FaultKind.DIVERGENCE: ViolationKind.BARRIER_DIVERGENCE,
    FaultKind.WARP_DEADLOCK: ViolationKind.WARP_DIVERGENCE,
    FaultKind.INACTIVE_LANE: ViolationKind.ABSENT_LANE,
    FaultKind.NOT_IN_MASK: ViolationKind.LEFT_OUT,
    FaultKind.ASSERT: ViolationKind.ASSERT,
    FaultKind.STACK: ViolationKind.STACK_OVERFLOW,
    FaultKind.TRAP: ViolationKind.TRAP,
    FaultKind.DIVISION: ViolationKind.DIVISION,
    FaultKind.OVERFLOW: ViolationKind.DIVISION,
}


def violations_of(call: Call, buffers: TraceBuffers) -> tuple[Violation, ...]:
    """Violations, merged by kind, line, access and array."""
    faults = call.request.faults[: call.request.fault_count]
    merged: dict[tuple[object, ...], Violation] = {}
    for fault in faults:
        violation = _violation(call, buffers, fault)
        key = (violation.kind, violation.line, violation.access, violation.array)
        merged[key] = _worst(merged[key], violation) if key in merged else violation
    return tuple(
        sorted(
            merged.values(),
            key=lambda v: (v.kind.value, v.thread.global_index(call.launch), v.line),
        )
    )


def _violation(call: Call, buffers: TraceBuffers, fault: Fault) -> Violation:
    kind = FaultKind(fault.kind)
    says_line = kind in (FaultKind.ASSERT, FaultKind.DIVERGENCE)
    line = fault.site if says_line else call.location(fault.site)[0]
    return Violation(
        kind=_KINDS[kind],
        thread=ThreadId.of_global(call.launch, fault.thread),
        line=line,
        access=_ACCESS[fault.access],
        space=Space.SHARED if fault.shared else Space.GLOBAL,
        array=buffers.array_name(call, fault.array, bool(fault.shared)),
        index=fault.element,
        count=fault.count,
        threads=fault.threads,
        detail=_detail(call, kind),
    )


def _detail(call: Call, kind: FaultKind) -> Message:
    if kind is FaultKind.ASSERT:
        return literal((call.request.message or b"").decode(errors="replace"))
    texts = {
        FaultKind.DIVISION: _("by zero: a GPU returns all ones"),
        FaultKind.OVERFLOW: _("the smallest number by −1: a GPU returns the smallest number"),
    }
    return texts.get(kind, NOTHING)


def races_of(call: Call, buffers: TraceBuffers) -> tuple[Race, ...]:
    """Data races, merged by array and pair of lines."""
    merged: dict[tuple[object, ...], Race] = {}
    for record in call.request.races[: call.request.race_count]:
        race = _race(call, buffers, record)
        key = (race.space, race.array, race.line, race.other_line)
        if key in merged:
            first = min(merged[key], race, key=partial(_first, call))
            race = replace(first, count=merged[key].count + race.count)
        merged[key] = race
    return tuple(sorted(merged.values(), key=partial(_first, call)))


def _first(call: Call, race: Race) -> tuple[int, int]:
    return race.threads[0].global_index(call.launch), race.line


def _race(call: Call, buffers: TraceBuffers, record: RaceRecord) -> Race:
    launch = call.launch
    return Race(
        space=Space.SHARED if record.shared else Space.GLOBAL,
        array=buffers.array_name(call, record.array, bool(record.shared)),
        index=record.element,
        line=call.location(record.site)[0],
        other_line=call.location(record.other_site)[0],
        threads=(
            ThreadId.of_global(launch, record.thread),
            ThreadId.of_global(launch, record.other),
        ),
        count=record.count,
    )


def _worst(one: Violation, other: Violation) -> Violation:
    return replace(one, count=one.count + other.count, threads=max(one.threads, other.threads))
