# SPDX-License-Identifier: MIT
"""Blocks whose last warp is not full."""

from collections.abc import Iterable

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Control, Finding
from threadloom.model.launch import WARP_SIZE, Launch
from threadloom.model.message import Message, _, count, ngettext
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import first_working, launch_with
from threadloom.services.doctor.legality import is_legal


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold the threads of a block against the width of a warp."""
    threads = context.run.launch.threads_per_block
    idle = -threads % WARP_SIZE
    if not idle or not is_legal(context.run.launch, context.run.device):
        return
    text = ngettext(
        "{idle} lane of the last warp is idle.", "{idle} lanes of the last warp are idle.", idle
    )
    yield Finding(
        kind="partial-warp",
        severity=context.advice,
        message=_("Partial warp: {threads} threads are not a multiple of {warp}").format(
            threads=count(threads), warp=WARP_SIZE
        ),
        detail=text.format(idle=count(idle)),
        numbers={"threads": threads, "idle_lanes": idle},
        fixes=tuple(first_working(context, _fuller(context, threads + idle)))
        if context.ruled_variant is not None
        else (),
        control=Control.BLOCK_X,
    )


def _fuller(context: DiagnosticContext, threads: int) -> Iterable[tuple[Message, Launch]]:
    if context.run.launch.block.rank == 1:
        launch = launch_with(context, Dim3(threads))
        yield _("Use {threads} threads").format(threads=count(threads)), launch
