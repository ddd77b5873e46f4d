# SPDX-License-Identifier: MIT
"""Warps of which only some lanes take part."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.launch import WARP_SIZE
from threadloom.model.program import Severity
from threadloom.model.trace import Site
from threadloom.services.diagnose.facts import Facts
from threadloom.text import _, percent, significant

FEW = 0.5
"""Share of lanes below which a place is spoken of."""


def find(facts: Facts) -> Iterable[Finding]:
    """The place with the most idle lanes, where blocks fill their warps."""
    sites = facts.trace.sites if facts.trace else ()
    if facts.launch.threads_per_block % WARP_SIZE or not sites:
        return
    placed = [site for site in sites if site.line]
    sparse = [s for s in placed if 0 < s.active_lanes < FEW * WARP_SIZE * s.requests]
    if sparse:
        yield _finding(max(sparse, key=_idle))


def _idle(site: Site) -> int:
    return site.requests * WARP_SIZE - site.active_lanes


def _finding(site: Site) -> Finding:
    lanes = site.active_lanes / site.requests
    text = _("line {line}: {lanes} of {warp} lanes take part ({share})")
    return Finding(
        kind="divergence",
        severity=Severity.NOTE,
        message=_("Lanes of a warp take different branches"),
        detail=text.format(
            line=site.line,
            lanes=significant(lanes),
            warp=WARP_SIZE,
            share=percent(lanes / WARP_SIZE, 2),
        ),
        where=Where(line=site.line, column=site.column, array=site.array or None),
        numbers={"requests": site.requests, "active_lanes": site.active_lanes},
        control="source",
    )
