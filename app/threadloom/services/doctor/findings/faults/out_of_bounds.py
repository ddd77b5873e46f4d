# SPDX-License-Identifier: MIT
"""Accesses outside an array."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from threadloom.model.finding import Control, Finding, Fix, Verdict, Where
from threadloom.model.message import Message, _, binary_bytes, count, joined, ngettext
from threadloom.model.severity import Severity
from threadloom.model.trace import AccessKind, Space, Violation, ViolationKind
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.guard import guard_fixes
from threadloom.services.doctor.place_text import thread_text

UNSIGNED = 2**32
NEAR = 2**16
"""How far below 0 an index was most likely meant to be, if it comes out that far below 2³²."""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """One finding an array, with the first access of the first place in the source."""
    if context.run.trace is None:
        return
    by_array: dict[tuple[Space, str], list[Violation]] = defaultdict(list)
    for violation in context.run.trace.violations:
        if violation.kind is ViolationKind.OUT_OF_BOUNDS:
            by_array[violation.space, violation.array].append(violation)
    for (space, array), violations in by_array.items():
        # The trace counts threads of all arrays together, and of each place apart.
        most = max(v.threads for v in violations)
        threads = context.run.trace.oob_threads if len(by_array) == 1 else most
        yield _finding(context, space, array, violations, max(threads, most))


def _finding(
    context: DiagnosticContext,
    space: Space,
    array: str,
    violations: Sequence[Violation],
    threads: int,
) -> Finding:
    first = min(violations, key=lambda v: (v.thread.global_index(context.run.launch), v.line))
    return Finding(
        kind="out-of-bounds",
        severity=Severity.ERROR,
        message=_message(space, array, threads),
        detail=_first(context, first),
        where=Where(
            line=first.line or None,
            block=first.thread.block,
            thread=first.thread.thread,
            array=array or None,
            index=first.index,
        ),
        numbers={
            "threads": threads,
            "reads": sum(v.count for v in violations if v.access is AccessKind.READ),
            "writes": sum(v.count for v in violations if v.access is not AccessKind.READ),
            "index": first.index,
        },
        fixes=tuple(_fixes(context, violations)),
        verdict=Verdict.OUT_OF_BOUNDS,
        control=Control.SOURCE,
    )


def _first(context: DiagnosticContext, first: Violation) -> Message:
    if not first.array:
        return _wild(context, first)
    text = _("First: {thread}, index {index}, line {line}")
    if not first.line:
        text = _("First: {thread}, index {index}")
    place = text.format(
        thread=thread_text(context.run.launch, first.thread),
        index=count(first.index),
        line=first.line,
    )
    below = first.index - UNSIGNED
    if first.index >= UNSIGNED or below < -NEAR:
        return place
    unsigned = _("{below} stored in an unsigned type").format(below=count(below))
    return joined([place, unsigned])


def _wild(context: DiagnosticContext, first: Violation) -> Message:
    """Where a pointer led that is none of an array's."""
    text = _("First: {thread}, address {address}, line {line}")
    if not first.line:
        text = _("First: {thread}, address {address}")
    place = text.format(
        thread=thread_text(context.run.launch, first.thread),
        address=hex(first.index % 2**64),
        line=first.line,
    )
    if 0 <= first.index < NEAR:
        return joined([place, _("null pointer")])
    return place


def _message(space: Space, array: str, threads: int) -> Message:
    if not array:
        text = ngettext(
            "Out-of-bounds access: {threads} thread leaves every array",
            "Out-of-bounds access: {threads} threads leave every array",
            threads,
        )
    elif space is Space.SHARED:
        text = ngettext(
            "Out-of-bounds access: {threads} thread leaves {array} in shared memory",
            "Out-of-bounds access: {threads} threads leave {array} in shared memory",
            threads,
        )
    else:
        text = ngettext(
            "Out-of-bounds access: {threads} thread leaves {array}",
            "Out-of-bounds access: {threads} threads leave {array}",
            threads,
        )
    return text.format(threads=count(threads), array=array)


def _fixes(context: DiagnosticContext, violations: Sequence[Violation]) -> Iterator[Fix]:
    if violations[0].space is Space.SHARED:
        yield from _more_shared(context)
    else:
        yield from guard_fixes(context, violations)


def _more_shared(context: DiagnosticContext) -> Iterator[Fix]:
    """As much dynamic shared memory as the rule asks for."""
    variant = context.ruled_variant
    if variant is None:
        return
    needed = variant.rule.shared_bytes(context.sizes, context.run.launch.block, context.item_bytes)
    if context.run.launch.shared_bytes < needed <= context.run.device.shared_per_block_optin:
        title = _("Set shared memory to {size}").format(size=binary_bytes(needed))
        yield Fix(title, shared_bytes=needed)
