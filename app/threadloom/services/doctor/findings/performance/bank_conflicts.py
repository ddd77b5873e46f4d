# SPDX-License-Identifier: MIT
"""Lanes of a warp that want different words of the same bank of shared memory."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Where
from threadloom.model.message import _, count, significant
from threadloom.model.severity import Severity
from threadloom.model.trace import AccessKind, Site, Space
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.padding import padding_fixes

WORTH_REPORTING = 1.0
"""Extra wavefronts per request from which a place is reported."""
MOST = 3
"""Places that are reported, worst first."""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """The places with the most extra wavefronts; or that there are none."""
    sites = (
        [s for s in context.run.trace.sites if s.space is Space.SHARED] if context.run.trace else []
    )
    sites = [site for site in sites if site.requests]
    bad = [s for s in sites if s.bank_conflicts >= WORTH_REPORTING * s.requests]
    for site in sorted(bad, key=lambda s: -s.bank_conflicts)[:MOST]:
        yield _finding(context, site)
    if sites and not bad:
        yield _passed(sites)


def _finding(context: DiagnosticContext, site: Site) -> Finding:
    ways = 1 + site.bank_conflicts / site.requests
    text = _("{n}-way bank conflicts on shared loads")
    if site.kind is not AccessKind.READ:
        text = _("{n}-way bank conflicts on shared stores")
    why = _("Line {line}, {array}: lanes access different words of one bank")
    if site.kind is AccessKind.ATOMIC:
        text = _("{n}-way bank conflicts on shared atomics")
        why = _("Line {line}, {array}: atomics on one bank are serialized")
    return Finding(
        kind="bank-conflicts",
        severity=context.advice,
        message=text.format(n=significant(ways)),
        detail=why.format(line=site.line, array=site.array or _("several arrays")),
        where=Where(line=site.line, column=site.column, array=site.array or None),
        numbers={"requests": site.requests, "bank_conflicts": site.bank_conflicts},
        fixes=() if site.kind is AccessKind.ATOMIC else tuple(padding_fixes(context, site.array)),
        control=Control.SOURCE,
    )


def _passed(sites: list[Site]) -> Finding:
    conflicts = sum(site.bank_conflicts for site in sites)
    requests = sum(site.requests for site in sites)
    none = _("No bank conflicts")
    return Finding(
        kind="no-bank-conflicts",
        severity=Severity.PASSED,
        message=none if not conflicts else _("Few bank conflicts"),
        detail=_("{extra} extra wavefronts in {requests} requests").format(
            extra=count(conflicts), requests=count(requests)
        ),
        numbers={"requests": requests, "bank_conflicts": conflicts},
    )
