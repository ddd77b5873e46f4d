# SPDX-License-Identifier: MIT
"""Room for warps that stays empty on each multiprocessor."""

from collections.abc import Iterable, Iterator, Mapping

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Control, Finding, Fix
from threadloom.model.message import N_, Message, _, count, percent
from threadloom.model.occupancy import Limiter, occupancy
from threadloom.model.program import Resources
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
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


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Say what holds the number of warps back, and which block does better."""
    found = context.run.occupancy
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
        fixes=tuple(_better(context, found.share)),
        control=Control.BLOCK_X,
    )


def _better(context: DiagnosticContext, share: float) -> Iterator[Fix]:
    """The first usual block with a larger share of the warps, for a kernel whose rule is known."""
    if context.ruled_variant is None:
        return
    for block in candidates(context):
        launch = launch_with(context, block)
        reached = occupancy(context.run.device, launch, context.run.resources or Resources()).share
        if reached > share + 0.01 and works(context, launch):
            yield to_launch(context, launch, title=_title(block))
            return


def _title(block: Dim3) -> Message:
    return _("Try {block} threads").format(block=extents(block))
