# SPDX-License-Identifier: MIT
"""Faults at which a kernel is stopped: misaligned access, a failed assert, no stack, no time."""

from collections.abc import Iterable, Mapping

from threadloom.model.finding import Finding, Where
from threadloom.model.message import N_, _
from threadloom.model.severity import Severity
from threadloom.model.trace import Violation, ViolationKind
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.place_text import thread_words

TEXTS: Mapping[ViolationKind, tuple[str, str]] = {
    ViolationKind.MISALIGNED: (
        N_("An address is not a multiple of the size of what is read or written there"),
        "out-of-bounds",
    ),
    ViolationKind.ASSERT: (N_("An assert in the kernel failed"), "wrong-result"),
    ViolationKind.TRAP: (N_("The kernel stopped itself"), "wrong-result"),
    ViolationKind.LEFT_OUT: (
        N_("A lane calls a function of its warp with a mask that leaves it out"),
        "wrong-result",
    ),
    ViolationKind.DIVISION: (N_("An integer division has no result"), "wrong-result"),
    ViolationKind.STACK_OVERFLOW: (N_("A thread has no stack left"), "out-of-bounds"),
}
OTHER = (N_("The kernel did something that a GPU stops it for"), "out-of-bounds")
TOLD_ELSEWHERE = {
    ViolationKind.OUT_OF_BOUNDS,
    ViolationKind.UNINITIALIZED,
    ViolationKind.BARRIER_DIVERGENCE,
    ViolationKind.WARP_DIVERGENCE,
    ViolationKind.ABSENT_LANE,
}


def find(facts: Facts) -> Iterable[Finding]:
    """One finding a place in the source."""
    violations = facts.trace.violations if facts.trace else ()
    for violation in violations:
        if violation.kind is ViolationKind.ENDLESS:
            yield _endless(facts, violation)
        elif violation.kind is ViolationKind.TOO_LONG:
            yield _too_long(violation)
        elif violation.kind not in TOLD_ELSEWHERE:
            yield _finding(facts, violation)


def _endless(facts: Facts, violation: Violation) -> Finding:
    """A thread that still ran when the launch was stopped, and where it was."""
    place = _("line {line}, {thread}") if violation.line else "{thread}"
    # A GPU ends a kernel at an access outside, so that it would not get so far.
    outside = bool(facts.trace and facts.trace.oob_threads)
    return Finding(
        kind=violation.kind.value,
        severity=Severity.ERROR,
        message=violation.detail,
        detail=place.format(
            line=violation.line, thread=thread_words(facts.launch, violation.thread)
        ),
        where=Where(
            line=violation.line or None,
            block=violation.thread.block,
            thread=violation.thread.thread,
        ),
        verdict="out-of-bounds" if outside else "launch-error",
        control="source",
    )


def _too_long(violation: Violation) -> Finding:
    """A launch that was stopped while its threads got on: none of them is to blame."""
    return Finding(
        kind=violation.kind.value,
        severity=Severity.ERROR,
        message=violation.detail,
        detail=_("No thread was stuck. A smaller size or a longer limit lets it end."),
        verdict="launch-error",
    )


def _finding(facts: Facts, violation: Violation) -> Finding:
    message, verdict = TEXTS.get(violation.kind, OTHER)
    place = _("first: {thread}, line {line}") if violation.line else _("first: {thread}")
    first = place.format(thread=thread_words(facts.launch, violation.thread), line=violation.line)
    return Finding(
        kind=violation.kind.value,
        severity=Severity.ERROR,
        message=_(message),
        detail=f"{first} · {violation.detail}" if violation.detail else first,
        where=Where(
            line=violation.line or None,
            block=violation.thread.block,
            thread=violation.thread.thread,
            array=violation.array or None,
            index=violation.index,
        ),
        numbers={"count": violation.count, "threads": violation.threads},
        verdict=verdict,
        control="source",
    )
