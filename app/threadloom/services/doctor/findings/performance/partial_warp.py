# SPDX-License-Identifier: MIT
"""Blocks whose last warp is not full."""

from collections.abc import Iterable

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import WARP_SIZE, Launch
from threadloom.model.message import Message, _, count, ngettext
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import first_working, launch_with
from threadloom.services.doctor.legality import is_legal


def find(facts: Facts) -> Iterable[Finding]:
    """Hold the threads of a block against the width of a warp."""
    threads = facts.launch.threads_per_block
    idle = -threads % WARP_SIZE
    if not idle or not is_legal(facts.launch, facts.device):
        return
    text = ngettext(
        "{idle} lane of the last warp is idle.", "{idle} lanes of the last warp are idle.", idle
    )
    yield Finding(
        kind="partial-warp",
        severity=facts.advice,
        message=_("Partial warp: {threads} threads are not a multiple of {warp}").format(
            threads=count(threads), warp=WARP_SIZE
        ),
        detail=text.format(idle=count(idle)),
        numbers={"threads": threads, "idle_lanes": idle},
        fixes=tuple(first_working(facts, _fuller(facts, threads + idle)))
        if facts.ruled_variant is not None
        else (),
        control="block.x",
    )


def _fuller(facts: Facts, threads: int) -> Iterable[tuple[Message, Launch]]:
    if facts.launch.block.rank == 1:
        launch = launch_with(facts, Dim3(threads))
        yield _("Use {threads} threads").format(threads=count(threads)), launch
