# SPDX-License-Identifier: MIT
"""Shuffles that read from a lane that does not take part."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.model.trace import Violation, ViolationKind
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.place_text import thread_text


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """One finding a place in the source; what such a shuffle gets is not defined."""
    for violation in context.run.trace.violations if context.run.trace else ():
        if violation.kind is ViolationKind.ABSENT_LANE:
            yield _finding(context, violation)


def _finding(context: DiagnosticContext, violation: Violation) -> Finding:
    text = _("Line {line}, {thread}: the source lane has exited or is not in the mask.")
    return Finding(
        kind="inactive-lane",
        severity=Severity.WARNING,
        message=_("Inactive lane: a shuffle reads from a lane that does not take part"),
        detail=text.format(
            line=violation.line, thread=thread_text(context.run.launch, violation.thread)
        ),
        where=Where(
            line=violation.line or None,
            block=violation.thread.block,
            thread=violation.thread.thread,
        ),
        numbers={"reads": violation.count, "threads": violation.threads},
        verdict=Verdict.WRONG_RESULT,
        control=Control.SOURCE,
    )
