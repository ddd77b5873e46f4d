# SPDX-License-Identifier: MIT
"""Data races: threads that access one element without synchronization."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.model.trace import Race, Space, Trace
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.place_text import thread_text

MOST = 4
"""Pairs of lines that are reported: one fault often shows at many."""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """One finding a pair of lines; `written_more_than_once` speaks of what it counts."""
    if context.run.trace is None:
        return
    reported: set[tuple[str, int, int]] = set()
    for race in context.run.trace.races:
        place = (race.array, min(race.line, race.other_line), max(race.line, race.other_line))
        if (
            len(reported) < MOST
            and place not in reported
            and not _counted_elsewhere(context.run.trace, race)
        ):
            reported.add(place)
            yield _finding(context, race)
    if context.run.trace.unchecked:
        yield _unchecked(context.run.trace.unchecked)


def _unchecked(accesses: int) -> Finding:
    """A check that was cut must not pass for one that found nothing."""
    text = ngettext(
        "Data races: {count} access was not checked",
        "Data races: {count} accesses were not checked",
        accesses,
    )
    return Finding(
        kind="race-unchecked",
        severity=Severity.NOTE,
        message=text.format(count=count(accesses)),
        detail=_("A block accesses more elements between two barriers than the tracer keeps."),
        numbers={"count": accesses},
    )


def _counted_elsewhere(trace: Trace, race: Race) -> bool:
    coverage = trace.coverage.get(race.array)
    if race.space is not Space.GLOBAL or coverage is None:
        return False
    return 0 <= race.index < coverage.elements and bool(coverage.multi_writer_mask[race.index])


def _finding(context: DiagnosticContext, race: Race) -> Finding:
    one, other = (thread_text(context.run.launch, thread) for thread in race.threads)
    if race.line == race.other_line:
        text = _("Line {line}, {space}: {one} and {other}")
    else:
        text = _("Lines {line} and {second}, {space}: {one} and {other}")
    space = _("shared memory") if race.space is Space.SHARED else _("global memory")
    return Finding(
        kind="race",
        severity=Severity.WARNING,
        message=_("Data race: two threads access {array}[{index}] without synchronization").format(
            array=race.array, index=count(race.index)
        ),
        detail=text.format(
            line=race.line,
            second=race.other_line,
            space=space,
            one=one,
            other=other,
        ),
        where=Where(
            line=race.line or None,
            block=race.threads[0].block,
            thread=race.threads[0].thread,
            array=race.array or None,
            index=race.index,
        ),
        numbers={
            "count": race.count,
            "line": race.line,
            "other_line": race.other_line,
            "space": race.space.value,
        },
        verdict=Verdict.RACE,
        control=Control.SOURCE,
    )
