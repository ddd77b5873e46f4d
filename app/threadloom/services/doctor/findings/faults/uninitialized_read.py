# SPDX-License-Identifier: MIT
"""Reads of values that nobody wrote."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.model.trace import Space, Violation, ViolationKind
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.place_text import thread_words


def find(facts: Facts) -> Iterable[Finding]:
    """One finding a place in the source."""
    violations = facts.trace.violations if facts.trace else ()
    for violation in violations:
        if violation.kind is ViolationKind.UNINITIALIZED:
            yield _finding(facts, violation)


def _finding(facts: Facts, violation: Violation) -> Finding:
    if violation.space is Space.SHARED:
        why = _("shared memory holds whatever was there before")
    else:
        why = _("nothing was copied to the device for it")
    text = _("{array}[{index}], line {line}, {thread}: {why}")
    return Finding(
        kind="uninitialized-read",
        severity=Severity.WARNING,
        message=_("Thread reads a value that nobody wrote"),
        detail=text.format(
            array=violation.array,
            index=count(violation.index),
            line=violation.line,
            thread=thread_words(facts.launch, violation.thread),
            why=why,
        ),
        where=Where(
            line=violation.line or None,
            block=violation.thread.block,
            thread=violation.thread.thread,
            array=violation.array or None,
            index=violation.index,
        ),
        numbers={"reads": violation.count, "threads": violation.threads},
        verdict="wrong-result",
        control="source",
    )
