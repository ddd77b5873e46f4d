# SPDX-License-Identifier: MIT
"""Which arrays a kernel is to write wholly, so that what it leaves out is a fault."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from threadloom.backends.base import LaunchError, Observed
from threadloom.backends.source.parsed import Function
from threadloom.backends.source.syntax import below, text_of
from threadloom.model.array import Array, Value
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.trace import AccessKind, Trace
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.fixes.edits import parsed_kernel
from threadloom.services.doctor.legality import is_legal

_ATOMIC = re.compile(r"\batomic[A-Z]\w*\s*\(")
_MOST_THREADS = 1 << 22
"""Threads of the launch that is tried for whether more of them would write more."""


def expected_outputs(
    subject: Subject, launch: Launch, given: Mapping[str, Value], seen: Observed
) -> tuple[str, ...]:
    """Arrays of which each element is to be written.

    One that only comes back is, unless a counter hands out its places: then there are as many as
    there are. One that is worked on in place is, if it is stored to without atomics, which count
    what there may be none of, if more threads would write more of it, and if the elements that
    were left out have no say in anything: else they are what the others are computed from.
    """
    named = {
        name: argument.access
        for name, argument in subject.argument_of.items()
        if name in seen.trace.coverage and _same_size(given[name], subject.values[name])
    }
    left = [name for name in named if seen.trace.coverage[name].uncovered]
    counted = _counted(subject, launch) if left else frozenset()
    out = [name for name, access in named.items() if access == "out" and name not in counted]
    idle = [n for n in left if named[n] == "inout" and _stored(seen.trace, n)]
    return (*out, *(n for n in idle if _launch_too_small(subject, launch, given, seen, n)))


def _stored(trace: Trace, name: str) -> bool:
    """Whether some place in the source writes the array without an atomic."""
    return any(site.array == name and site.kind is AccessKind.WRITE for site in trace.sites)


def _same_size(given: Value, passed: Value) -> bool:
    """Whether the kernel counts the same elements as the caller."""
    return np.size(given) == np.size(passed)


def _counted(subject: Subject, launch: Launch) -> frozenset[str]:
    """Arrays that are only stored to at places that an atomic gave out, as a compaction does."""
    found = parsed_kernel(subject.context(launch))
    if found is None:
        return frozenset()
    parsed, function = found
    places: dict[str, set[bool]] = {}
    given_out = _given_out(parsed.source, function)
    for node in below(function.body, "assignment_expression"):
        target = node.child_by_field_name("left")
        if target is None or target.type != "subscript_expression":
            continue
        array, _bracket, index = text_of(parsed.source, target).partition("[")
        names = set(re.findall(r"\b[A-Za-z_]\w*\b", index))
        places.setdefault(array.strip(), set()).add(
            bool(names & given_out) or bool(_ATOMIC.search(index))
        )
    return frozenset(name for name, kinds in places.items() if kinds == {True})


def _given_out(source: bytes, function: Function) -> frozenset[str]:
    """Variables that hold what an atomic returned, or something computed from it."""
    values: list[tuple[str, str]] = []
    for node in below(function.body, "init_declarator", "assignment_expression"):
        left = node.child_by_field_name("declarator") or node.child_by_field_name("left")
        right = node.child_by_field_name("value") or node.child_by_field_name("right")
        if left is not None and right is not None and left.type == "identifier":
            values.append((text_of(source, left).strip(), text_of(source, right)))
    names = {name for name, value in values if _ATOMIC.search(value)}
    for name, value in values:  # in the order of the source, so once is enough
        if names & set(re.findall(r"\b[A-Za-z_]\w*\b", value)):
            names.add(name)
    return frozenset(names)


def _launch_too_small(
    subject: Subject, launch: Launch, given: Mapping[str, Value], seen: Observed, name: str
) -> bool:
    """Whether more threads would write more of an array that is worked on in place."""
    return _has_no_say(subject, launch, given, seen, name) and _more_would_write(
        subject, launch, given, seen, name
    )


def _more_would_write(
    subject: Subject, launch: Launch, given: Mapping[str, Value], seen: Observed, name: str
) -> bool:
    """Try a grid, then a block, of more threads along each axis."""
    before = seen.trace.coverage[name].written
    for more in _larger(launch):
        if not is_legal(more, subject.device) or more.threads > _MOST_THREADS:
            continue
        try:
            again = subject.trace(more, given)
        except LaunchError:
            continue
        if name in again.trace.coverage and again.trace.coverage[name].written > before:
            return True
    return False


def _larger(launch: Launch) -> tuple[Launch, ...]:
    grid, block = launch.grid, launch.block
    return (
        replace(launch, grid=Dim3(grid.x * 2 + 1, grid.y, grid.z)),
        replace(launch, grid=Dim3(grid.x, grid.y * 2 + 1, grid.z)),
        replace(launch, grid=Dim3(grid.x, grid.y, grid.z * 2 + 1)),
        replace(launch, block=Dim3(block.x * 2, block.y, block.z)),
        replace(launch, block=Dim3(block.x, block.y * 2, block.z)),
    )


def _has_no_say(
    subject: Subject, launch: Launch, given: Mapping[str, Value], seen: Observed, name: str
) -> bool:
    """Whether nothing changes when the elements that were not written start out as others."""
    left = seen.trace.coverage[name].writes == 0
    changed: Array = np.array(given[name])
    changed[left] = -changed[left] - 1 if changed.dtype.kind in "fc" else ~changed[left]
    try:
        again = subject.trace(launch, {**given, name: changed})
    except LaunchError:
        return False
    if not np.array_equal(again.trace.coverage[name].writes == 0, left):
        return False
    before, after = seen.outputs.arrays, again.outputs.arrays
    kept = {n: (a.reshape(-1)[~left] if n == name else a) for n, a in before.items()}
    now = {n: (a.reshape(-1)[~left] if n == name else a) for n, a in after.items()}
    return all(np.array_equal(kept[n], now[n], equal_nan=kept[n].dtype.kind in "fc") for n in kept)
