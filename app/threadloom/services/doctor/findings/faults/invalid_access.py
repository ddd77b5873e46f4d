# SPDX-License-Identifier: MIT
"""Faults at which a kernel is stopped: misaligned access, a failed assert, no stack, no time."""

from collections.abc import Iterable, Mapping

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import N_, _, joined
from threadloom.model.severity import Severity
from threadloom.model.trace import Violation, ViolationKind
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.place_text import thread_text

TEXTS: Mapping[ViolationKind, tuple[str, Verdict]] = {
    ViolationKind.MISALIGNED: (
        N_("Misaligned address: it is not a multiple of the access size"),
        Verdict.OUT_OF_BOUNDS,
    ),
    ViolationKind.ASSERT: (N_("Assertion failed in the kernel"), Verdict.WRONG_RESULT),
    ViolationKind.TRAP: (N_("Trap: the kernel stopped itself"), Verdict.WRONG_RESULT),
    ViolationKind.LEFT_OUT: (
        N_("Invalid mask: a lane calls a warp function with a mask that excludes it"),
        Verdict.WRONG_RESULT,
    ),
    ViolationKind.DIVISION: (N_("Integer division without a defined result"), Verdict.WRONG_RESULT),
    ViolationKind.STACK_OVERFLOW: (N_("Stack overflow in a thread"), Verdict.OUT_OF_BOUNDS),
}
OTHER = (N_("Invalid operation: a GPU would stop the kernel here"), Verdict.OUT_OF_BOUNDS)
REPORTED_ELSEWHERE = {
    ViolationKind.OUT_OF_BOUNDS,
    ViolationKind.UNINITIALIZED,
    ViolationKind.BARRIER_DIVERGENCE,
    ViolationKind.WARP_DIVERGENCE,
    ViolationKind.ABSENT_LANE,
}


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """One finding a place in the source."""
    violations = context.run.trace.violations if context.run.trace else ()
    for violation in violations:
        if violation.kind is ViolationKind.ENDLESS:
            yield _endless(context, violation)
        elif violation.kind is ViolationKind.TOO_LONG:
            yield _too_long(violation)
        elif violation.kind not in REPORTED_ELSEWHERE:
            yield _finding(context, violation)


def _endless(context: DiagnosticContext, violation: Violation) -> Finding:
    """A thread that still ran when the launch was stopped, and where it was."""
    place = _("Line {line}, {thread}") if violation.line else _("{thread}")
    # A GPU ends a kernel at an access outside, so that it would not get so far.
    outside = bool(context.run.trace and context.run.trace.oob_threads)
    return Finding(
        kind=violation.kind.value,
        severity=Severity.ERROR,
        message=violation.detail,
        detail=place.format(
            line=violation.line, thread=thread_text(context.run.launch, violation.thread)
        ),
        where=Where(
            line=violation.line or None,
            block=violation.thread.block,
            thread=violation.thread.thread,
        ),
        verdict=Verdict.OUT_OF_BOUNDS if outside else Verdict.LAUNCH_ERROR,
        control=Control.SOURCE,
    )


def _too_long(violation: Violation) -> Finding:
    """A launch that was stopped while its threads got on: none of them is to blame."""
    return Finding(
        kind=violation.kind.value,
        severity=Severity.ERROR,
        message=violation.detail,
        detail=_("No thread is stuck. Choose a smaller size or raise the time limit."),
        verdict=Verdict.LAUNCH_ERROR,
    )


def _finding(context: DiagnosticContext, violation: Violation) -> Finding:
    message, verdict = TEXTS.get(violation.kind, OTHER)
    place = _("First: {thread}, line {line}") if violation.line else _("First: {thread}")
    first = place.format(
        thread=thread_text(context.run.launch, violation.thread), line=violation.line
    )
    return Finding(
        kind=violation.kind.value,
        severity=Severity.ERROR,
        message=_(message),
        detail=joined([first, violation.detail]),
        where=Where(
            line=violation.line or None,
            block=violation.thread.block,
            thread=violation.thread.thread,
            array=violation.array or None,
            index=violation.index,
        ),
        numbers={"count": violation.count, "threads": violation.threads},
        verdict=verdict,
        control=Control.SOURCE,
    )
