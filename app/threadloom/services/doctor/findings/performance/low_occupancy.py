# SPDX-License-Identifier: MIT
"""Room for warps that stays empty on each multiprocessor."""

from collections.abc import Iterable, Iterator, Mapping

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Fix
from threadloom.model.message import N_, Message, _, count, percent
from threadloom.model.occupancy import Limiter, occupancy
from threadloom.model.program import Resources
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import (
    candidates,
    extents,
    launch_with,
    to_launch,
    works,
)

FULL_ENOUGH = 0.9
LIMITERS: Mapping[Limiter, str] = {
    Limiter.THREADS: N_("threads"),
    Limiter.BLOCKS: N_("blocks"),
    Limiter.REGISTERS: N_("registers"),
    Limiter.SHARED: N_("shared memory"),
}


def find(facts: Facts) -> Iterable[Finding]:
    """Say what holds the number of warps back, and which block does better."""
    found = facts.occupancy
    if found is None or found.limiter is Limiter.NOTHING or found.share >= FULL_ENOUGH:
        return
    yield Finding(
        kind="low-occupancy",
        severity=Severity.NOTE,
        message=_("Low occupancy: {share}, limited by {what}").format(
            share=percent(found.share, 3), what=_(LIMITERS[found.limiter])
        ),
        detail=_("{warps} of {most} warps per SM").format(
            warps=count(found.warps_per_sm), most=count(found.max_warps_per_sm)
        ),
        numbers={
            "share": found.share,
            "warps": found.warps_per_sm,
            "most": found.max_warps_per_sm,
            "limiter": found.limiter.value,
        },
        fixes=tuple(_better(facts, found.share)),
        control="block.x",
    )


def _better(facts: Facts, share: float) -> Iterator[Fix]:
    """The first usual block with a larger share of the warps, for a kernel whose rule is known."""
    if facts.ruled_variant is None:
        return
    for block in candidates(facts):
        launch = launch_with(facts, block)
        reached = occupancy(facts.device, launch, facts.resources or Resources()).share
        if reached > share + 0.01 and works(facts, launch):
            yield to_launch(facts, launch, title=_title(block))
            return


def _title(block: Dim3) -> Message:
    return _("Try {block} threads").format(block=extents(block))
