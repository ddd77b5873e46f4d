# SPDX-License-Identifier: MIT
"""Accesses whose lanes are spread over more memory than they need."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Where
from threadloom.model.message import _, significant
from threadloom.model.severity import Severity
from threadloom.model.trace import AccessKind, Site, Space
from threadloom.services.doctor.context import DiagnosticContext

SPREAD = 2.0
"""Ratio to the ideal number of sectors that is reported …"""
LEAST = 2.0
"""… if it is at least so many sectors more a request: a broadcast needs little anyway."""
MOST = 3
"""Places that are reported, worst first."""


def global_sites(context: DiagnosticContext) -> list[Site]:
    """Places that read or write global memory; atomics are served one by one anyway."""
    sites = context.run.trace.sites if context.run.trace else ()
    plain = [s for s in sites if s.space is Space.GLOBAL and s.kind is not AccessKind.ATOMIC]
    return [site for site in plain if site.requests and site.ideal_sectors]


def is_spread(site: Site) -> bool:
    """Whether a place moves many more sectors than its bytes would fill."""
    extra = (site.sectors - site.ideal_sectors) / site.requests
    return site.sectors >= SPREAD * site.ideal_sectors and extra >= LEAST


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """The places that move the most sectors for nothing; or that there are none."""
    sites = global_sites(context)
    spread = sorted(filter(is_spread, sites), key=lambda s: s.ideal_sectors - s.sectors)
    for site in spread[:MOST]:
        yield _finding(context, site)
    if sites and not spread:
        yield _passed(sites)


def _finding(context: DiagnosticContext, site: Site) -> Finding:
    moved, ideal = site.sectors / site.requests, site.ideal_sectors / site.requests
    what = _("Line {line}, loads from {array}")
    if site.kind is not AccessKind.READ:
        what = _("Line {line}, stores to {array}")
    return Finding(
        kind="uncoalesced",
        severity=context.advice,
        message=_("Uncoalesced access: {moved} sectors per request (ideal {ideal})").format(
            moved=significant(moved), ideal=significant(ideal)
        ),
        detail=what.format(line=site.line, array=site.array or _("several arrays")),
        where=Where(line=site.line, column=site.column, array=site.array or None),
        numbers={
            "requests": site.requests,
            "sectors": site.sectors,
            "ideal_sectors": site.ideal_sectors,
        },
        control=Control.SOURCE,
    )


def _passed(sites: list[Site]) -> Finding:
    requests = sum(site.requests for site in sites)
    moved, ideal = sum(s.sectors for s in sites), sum(s.ideal_sectors for s in sites)
    return Finding(
        kind="coalesced",
        severity=Severity.PASSED,
        message=_("Coalesced access"),
        detail=_("{moved} sectors per request (ideal {ideal})").format(
            moved=significant(moved / requests, 2), ideal=significant(ideal / requests, 2)
        ),
        numbers={"requests": requests, "sectors": moved, "ideal_sectors": ideal},
    )
