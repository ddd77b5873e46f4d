# SPDX-License-Identifier: MIT
"""Barriers that some threads of a block, or lanes of a warp, never reach."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import Message, _, count, ngettext
from threadloom.model.severity import Severity
from threadloom.model.trace import Violation, ViolationKind
from threadloom.services.doctor.context import DiagnosticContext

_KINDS = (ViolationKind.BARRIER_DIVERGENCE, ViolationKind.WARP_DIVERGENCE)


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Say which barrier, and how many threads miss it or wait in vain."""
    if context.run.trace is None or not context.run.trace.barrier_divergence:
        return
    missing = context.run.trace.barrier_divergence
    first = next((v for v in context.run.trace.violations if v.kind in _KINDS), None)
    of_warp = first is not None and first.kind is ViolationKind.WARP_DIVERGENCE
    message, detail = _of_warp(missing) if of_warp else _of_block(missing)
    yield Finding(
        kind="barrier-divergence",
        severity=Severity.WARNING,
        message=message,
        detail=_placed(
            detail.format(missing=count(missing), threads=count(context.run.launch.threads)), first
        ),
        where=_where(first),
        numbers={"threads": missing, "of": context.run.launch.threads},
        verdict=Verdict.RACE,
        control=Control.SOURCE,
    )


def _of_block(missing: int) -> tuple[Message, Message]:
    text = ngettext(
        "{missing} of {threads} thread never arrives",
        "{missing} of {threads} threads never arrive",
        missing,
    )
    return _("Barrier divergence: not every thread of the block reaches `__syncthreads()`"), text


def _of_warp(missing: int) -> tuple[Message, Message]:
    text = ngettext(
        "{missing} of {threads} threads waits forever",
        "{missing} of {threads} threads wait forever",
        missing,
    )
    return _("Warp-level deadlock: lanes named in the mask never arrive"), text


def _placed(detail: Message, first: Violation | None) -> Message:
    if first is None or not first.line:
        return detail
    return _("Line {line}: {what}").format(line=first.line, what=detail)


def _where(first: Violation | None) -> Where:
    if first is None:
        return Where()
    return Where(line=first.line or None, block=first.thread.block, thread=first.thread.thread)
