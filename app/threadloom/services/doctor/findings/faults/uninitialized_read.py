# SPDX-License-Identifier: MIT
"""Reads of elements that hold no value yet."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.model.trace import Space, Violation, ViolationKind
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.place_text import thread_text


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """One finding a place in the source."""
    violations = context.run.trace.violations if context.run.trace else ()
    for violation in violations:
        if violation.kind is ViolationKind.UNINITIALIZED:
            yield _finding(context, violation)


def _finding(context: DiagnosticContext, violation: Violation) -> Finding:
    if violation.space is Space.SHARED:
        why = _("Shared memory starts undefined. Store to it first.")
    else:
        why = _("The array was allocated but never copied to the device.")
    text = _("Line {line}, {thread}. {why}")
    return Finding(
        kind="uninitialized-read",
        severity=Severity.WARNING,
        message=_("Uninitialized read: {array}[{index}] has no value yet").format(
            array=violation.array, index=count(violation.index)
        ),
        detail=text.format(
            line=violation.line,
            thread=thread_text(context.run.launch, violation.thread),
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
        verdict=Verdict.WRONG_RESULT,
        control=Control.SOURCE,
    )
