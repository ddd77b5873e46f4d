# SPDX-License-Identifier: MIT
"""A last wave of blocks that leaves most of the device idle."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding
from threadloom.model.message import _, count, ngettext, percent
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext

MANY_WAVES = 16
"""Waves from which the last one no longer counts."""
FULL_ENOUGH = 0.9


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold what is left for the last wave against the places for blocks."""
    slots = (
        context.run.occupancy.blocks_per_sm * context.run.device.sm_count
        if context.run.occupancy
        else 0
    )
    if not slots or min(context.run.launch.grid) < 1:
        return
    waves, rest = divmod(context.run.launch.blocks, slots)
    if not waves or not rest or waves >= MANY_WAVES or rest >= FULL_ENOUGH * slots:
        return
    yield Finding(
        kind="tail-effect",
        severity=Severity.NOTE,
        message=_("Tail effect: the partial last wave uses {share} of the slots").format(
            share=percent(rest / slots, 2)
        ),
        detail=ngettext(
            "{rest} block in {slots} slots", "{rest} blocks in {slots} slots", rest
        ).format(rest=count(rest), slots=count(slots)),
        numbers={"blocks": rest, "slots": slots, "waves": waves + 1},
        control=Control.GRID_X,
    )
