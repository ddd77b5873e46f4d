# SPDX-License-Identifier: MIT
"""Warps of which only some lanes take part."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Where
from threadloom.model.launch import WARP_SIZE
from threadloom.model.message import Message, _, count, percent, significant
from threadloom.model.severity import Severity
from threadloom.model.trace import Branch, Site
from threadloom.services.doctor.context import DiagnosticContext

FEW = 0.5
"""Share of active lanes below which a place is reported."""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """The place with the most idle lanes, where blocks fill their warps."""
    sites = context.run.trace.sites if context.run.trace else ()
    if context.run.launch.threads_per_block % WARP_SIZE or not sites:
        return
    placed = [site for site in sites if site.line]
    sparse = [s for s in placed if 0 < s.active_lanes < FEW * WARP_SIZE * s.requests]
    if sparse and context.run.trace:
        site = max(sparse, key=_idle)
        yield _finding(site, _divergent_before(site, context.run.trace.branches))


def _idle(site: Site) -> int:
    return site.requests * WARP_SIZE - site.active_lanes


def _divergent_before(site: Site, branches: Iterable[Branch]) -> Branch | None:
    """The last branch in the source before a place at which lanes diverged."""
    before = [b for b in branches if b.diverged and b.line <= site.line]
    return max(before, key=lambda b: (b.line, b.column or 0), default=None)


def _finding(site: Site, branch: Branch | None) -> Finding:
    numbers = {"requests": site.requests, "active_lanes": site.active_lanes}
    if branch is not None:
        numbers |= {"executed": branch.executed, "diverged": branch.diverged}
    return Finding(
        kind="divergence",
        severity=Severity.NOTE,
        message=_("Divergent branch: {lanes} of {warp} lanes active").format(
            lanes=significant(site.active_lanes / site.requests), warp=WARP_SIZE
        ),
        detail=_detail(site, branch),
        where=Where(line=site.line, column=site.column, array=site.array or None),
        numbers=numbers,
        control=Control.SOURCE,
    )


def _detail(site: Site, branch: Branch | None) -> Message:
    lanes = site.active_lanes / site.requests
    text = _("Line {line}: {share} of the lanes are active").format(
        line=site.line, share=percent(lanes / WARP_SIZE, 2)
    )
    if branch is None:
        return text
    more = _("{text}. The branch in line {line} diverges {divergent} of {n} times.")
    return more.format(
        text=text, line=branch.line, n=count(branch.executed), divergent=count(branch.diverged)
    )
