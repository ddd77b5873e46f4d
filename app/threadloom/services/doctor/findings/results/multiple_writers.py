# SPDX-License-Identifier: MIT
"""Elements that several threads wrote."""

from collections.abc import Iterable, Iterator

import numpy as np

from threadloom.model.finding import Control, Finding, Fix, Verdict, Where
from threadloom.model.launch import ThreadId
from threadloom.model.message import Message, _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.model.trace import Coverage, Race, Trace
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import (
    launch_with,
    suggested_launches,
    switching,
    to_launch,
    works,
)
from threadloom.services.doctor.place_text import coordinates


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Count elements with several writers; atomics do not count.

    It is a fault only where nothing orders the writes; else it is a way to work, as in a sort.
    """
    if context.run.trace is None:
        return
    for coverage in context.run.trace.coverage.values():
        if coverage.multi_writer:
            yield _finding(context, context.run.trace, coverage)


def _finding(context: DiagnosticContext, trace: Trace, coverage: Coverage) -> Finding:
    several = coverage.multi_writer
    race = next((r for r in trace.races if r.array == coverage.array), None)
    text = ngettext(
        "Multiple writers: {several} element of {array} is written more than once",
        "Multiple writers: {several} elements of {array} are written more than once",
        several,
    )
    index = int(np.argmax(coverage.multi_writer_mask)) if race is None else race.index
    owner = int(coverage.owner[index]) if 0 <= index < coverage.elements else -1
    thread = ThreadId.of_global(context.run.launch, owner) if owner >= 0 else None
    return Finding(
        kind="multiple-writers",
        severity=Severity.NOTE if race is None else Severity.WARNING,
        message=text.format(several=count(several), array=coverage.array),
        detail=_("The writes are ordered, or store the same value.")
        if race is None
        else _writers(context, race),
        where=Where(
            line=race.line if race else None,
            block=thread.block if thread else None,
            thread=thread.thread if thread else None,
            array=coverage.array,
            index=index,
        ),
        numbers={"multi_writer": several, "elements": coverage.elements},
        fixes=tuple(_fixes(context)) if race else (),
        verdict=Verdict.OK if race is None else Verdict.RACE,
        control=Control.GRID_X,
    )


def _writers(context: DiagnosticContext, race: Race) -> Message:
    grid, block = context.run.launch.grid, context.run.launch.block
    one, other = race.threads
    if one.block == other.block:
        return _("By threads {a} and {b} of block {block}, without synchronization.").format(
            a=coordinates(one.thread, block),
            b=coordinates(other.thread, block),
            block=coordinates(one.block, grid),
        )
    return _("By blocks {a} and {b}, without synchronization.").format(
        a=coordinates(one.block, grid), b=coordinates(other.block, grid)
    )


def _fixes(context: DiagnosticContext) -> Iterator[Fix]:
    """The launch that the rule asks for, if this one is another."""
    if context.ruled_variant is None:
        return
    same = launch_with(context, context.run.launch.block)
    if same != context.run.launch and switching(context) is None and works(context, same):
        yield to_launch(context, same)
    elif same != context.run.launch or not works(context, same):
        yield from suggested_launches(context)
