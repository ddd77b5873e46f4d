# SPDX-License-Identifier: MIT
"""Barriers that some threads of a block never reach."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.program import Severity
from threadloom.model.trace import ViolationKind
from threadloom.services.diagnose.facts import Facts
from threadloom.text import _, count, ngettext


def find(facts: Facts) -> Iterable[Finding]:
    """Say which barrier, and how many threads miss it."""
    if facts.trace is None or not facts.trace.barrier_divergence:
        return
    missing = facts.trace.barrier_divergence
    at = next(
        (v for v in facts.trace.violations if v.kind is ViolationKind.BARRIER_DIVERGENCE), None
    )
    text = ngettext(
        "{missing} of {threads} thread never gets there",
        "{missing} of {threads} threads never get there",
        facts.launch.threads,
    )
    yield Finding(
        kind="barrier-divergence",
        severity=Severity.WARNING,
        message=_("__syncthreads() that not every thread of the block reaches"),
        detail=text.format(missing=count(missing), threads=count(facts.launch.threads)),
        where=Where(
            line=(at.line or None) if at else None,
            block=at.thread.block if at else None,
            thread=at.thread.thread if at else None,
        ),
        numbers={"threads": missing, "of": facts.launch.threads},
        verdict="race",
        control="source",
    )
