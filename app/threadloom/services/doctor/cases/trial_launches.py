# SPDX-License-Identifier: MIT
"""Launches that mend a case, each tried before it is offered."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from threadloom.backends.base import CompileError
from threadloom.model.apply_fix import apply_edit
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.finding import Finding, Fix, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.services.doctor import DiagnosticContext, diagnose, verdict
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.cases.extents import nearest_whole, whole_extents
from threadloom.services.doctor.cases.trial import observe
from threadloom.services.doctor.fixes.atomics import atomic_fixes
from threadloom.services.doctor.fixes.barriers import barrier_fixes
from threadloom.services.doctor.fixes.suggested_launches import BLOCKS, to_launch
from threadloom.services.doctor.legality import is_legal

MOST_TRIED = 12
"""Launches tried for one finding."""
MOST_ACCESSES = 20_000_000
"""Accesses of all of them together, taken that they are like the first."""
MOST_OUTSIDE = 1_000_000
"""Accesses outside from which on no other launch is tried."""
MOST_EDITS = 4
"""Barriers tried for one finding; each takes a compilation."""
MOST_OFFERED = 2
BY_LAUNCH = {Verdict.LAUNCH_ERROR, Verdict.UNCOVERED, Verdict.OUT_OF_BOUNDS, Verdict.RACE}
"""Verdicts that another launch may mend."""


def with_trial_fixes(
    subject: Subject,
    context: DiagnosticContext,
    found: Sequence[Finding],
    near: Sequence[Launch] = (),
) -> tuple[Finding, ...]:
    """The findings with fixes that were tried: what they lead to is right.

    ``near`` are launches to try first.
    """
    racing = [
        f for f in found if f.verdict == Verdict.RACE and f.severity not in {"note", "passed"}
    ]
    fixed = next((f for f in racing if f.kind == "race"), racing[0] if racing else None)
    edits = () if fixed is None else _ordering(subject, context, fixed)
    return tuple(
        _with_remedies(
            subject,
            context,
            replace(finding, fixes=edits) if finding is fixed else finding,
            near,
        )
        for finding in found
    )


def _ordering(subject: Subject, context: DiagnosticContext, race: Finding) -> tuple[Fix, ...]:
    """An atomic or a barrier that keeps all threads apart that need to be: one mends all races."""
    fixes = itertools.chain(atomic_fixes(context, race), barrier_fixes(context, race))
    tried = itertools.islice(fixes, MOST_EDITS)
    works = (fix for fix in tried if _edit_works(subject, context.run.launch, fix))
    return (*race.fixes, *itertools.islice(works, 1))


def _with_remedies(
    subject: Subject, context: DiagnosticContext, finding: Finding, near: Sequence[Launch]
) -> Finding:
    if finding.verdict not in BY_LAUNCH or finding.severity in {"note", "passed"}:
        return finding
    if finding.kind == "race" or (finding.stops_launch and finding.control == "source"):
        return finding
    edits = [fix for fix in finding.fixes if fix.edit is not None]
    asked = [_applied(context.run.launch, fix) for fix in finding.fixes if fix.edit is None]
    likely = candidates(subject, near[0] if near else context.run.launch)
    fixes = _tried(subject, context, finding, itertools.chain(near, asked, likely))
    works = (fix for fix in edits if _edit_works(subject, context.run.launch, fix))
    return replace(finding, fixes=(*itertools.islice(works, MOST_OFFERED), *fixes))


def _tried(
    subject: Subject, context: DiagnosticContext, finding: Finding, launches: Iterable[Launch]
) -> Iterator[Fix]:
    """Fixes for the first launches that turn out to be right."""
    other = (launch for launch in launches if _may_mend(context, finding, launch))
    first = itertools.islice(dict.fromkeys(other), _tries(context))
    right = (launch for launch in first if _is_right(subject, launch))
    for launch in itertools.islice(right, MOST_OFFERED):
        yield to_launch(context, launch)


def _tries(context: DiagnosticContext) -> int:
    """As many launches as are seen in about a second, by what the first one did."""
    trace = context.run.trace
    if trace is None:
        return MOST_TRIED
    if trace.oob_reads + trace.oob_writes > MOST_OUTSIDE:  # a loop that no launch holds back
        return 0
    return max(1, min(MOST_TRIED, MOST_ACCESSES // max(trace.accesses, 1)))


def _edit_works(subject: Subject, launch: Launch, fix: Fix) -> bool:
    """Whether the edited source compiles, and is right as far as the launch can be made."""
    if fix.edit is None:
        return False
    source = apply_edit(subject.case.source, fix.edit)
    try:
        edited = subject.with_source(source)
    except CompileError:
        return False
    return not is_legal(launch, edited.device) or _is_right(edited, launch)


def _applied(launch: Launch, fix: Fix) -> Launch:
    shared = launch.shared_bytes if fix.shared_bytes is None else fix.shared_bytes
    return Launch(fix.grid or launch.grid, fix.block or launch.block, shared)


def _may_mend(context: DiagnosticContext, finding: Finding, launch: Launch) -> bool:
    """Whether to try a launch. Fewer threads do not race, but leave part of the work."""
    if launch == context.run.launch or not _may_run(context, launch):
        return False
    return finding.verdict != Verdict.RACE or launch.threads >= context.run.launch.threads


def _may_run(context: DiagnosticContext, launch: Launch) -> bool:
    return is_legal(launch, context.run.device, context.run.resources) and launch.threads <= 1 << 24


def _is_right(subject: Subject, launch: Launch) -> bool:
    seen = observe(subject, launch)
    return verdict(diagnose(seen.run, seen.known)) == Verdict.OK


def candidates(subject: Subject, launch: Launch) -> Iterator[Launch]:
    """Launches that cover the largest array that is written, most like the asked one first."""
    for extents in _problems(subject):
        for block in _blocks(launch.block, extents):
            grid = Dim3(*(max(1, ceil_div(n, b)) for n, b in zip(extents, block, strict=True)))
            yield Launch(grid, block, launch.shared_bytes)
        # A kernel that knows its thread alone takes one block, of all threads.
        yield Launch(Dim3(), extents, launch.shared_bytes)
    yield from _with_shared(subject, launch)


def _problems(subject: Subject) -> Iterator[Dim3]:
    """Threads along each axis: the array's own axes, x along its rows or its columns, or flat."""
    shapes = [
        a.shape
        for a in subject.argument_of.values()
        if a.shape is not None and a.access in {"out", "inout"}
    ]
    for shape in dict.fromkeys(shapes):
        axes = tuple(reversed([n for n in shape if n > 0]))[:3]
        if not axes:
            continue
        yield Dim3.of(axes)
        if len(axes) == 2:
            yield Dim3(axes[1], axes[0])
        total = 1
        for extent in shape:
            total *= max(extent, 0)
        yield Dim3(max(total, 1))


def _blocks(asked: Dim3, extents: Dim3) -> Iterator[Dim3]:
    if min(asked) >= 1:
        yield asked
    yield from (block for block in BLOCKS[extents.rank][:3] if block != asked)


def _with_shared(subject: Subject, launch: Launch) -> Iterator[Launch]:
    """Dynamic shared memory of one element a thread, in the usual widths."""
    if subject.stage.compiled.signature.dynamic_shared and min(launch.block) >= 1:
        for width in (4, 8):
            yield replace(launch, shared_bytes=launch.threads_per_block * width)


def whole_launches(block: Sequence[object], grid: Sequence[object], shared: object) -> list[Launch]:
    """Launches with whole extents near those that were asked for."""
    values = (*whole_extents(block), *whole_extents(grid), shared)
    choices = itertools.product(*(nearest_whole(value) for value in values))
    return [
        Launch(Dim3.of(near[3:6]), Dim3.of(near[:3]), near[6])
        for near in itertools.islice(choices, MOST_TRIED)
    ]


def in_python(finding: Finding) -> Finding:
    """The finding with fixes that name block and grid wholly, as one writes them in Python.

    They are fixes of a launch that was none, so nothing of it can stay.
    """
    fixes = (replace(fix, **_whole(fix)) for fix in finding.fixes)
    return replace(finding, fixes=tuple(fixes))


def _whole(fix: Fix) -> dict[str, Any]:
    block, grid = fix.block or Dim3(), fix.grid or Dim3()
    title = _("Pass `block={block}, grid={grid}`").format(block=block, grid=grid)
    if fix.shared_bytes:
        text = _("Pass `block={block}, grid={grid}, shared={shared}`")
        title = text.format(block=block, grid=grid, shared=fix.shared_bytes)
    return {"title": title, "block": block, "grid": grid}
