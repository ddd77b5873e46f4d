# SPDX-License-Identifier: MIT
"""A last wave of blocks that leaves most of the device idle."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.message import _, count, ngettext, percent
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts

MANY_WAVES = 16
"""Waves from which the last one no longer counts."""
FULL_ENOUGH = 0.9


def find(facts: Facts) -> Iterable[Finding]:
    """Hold what is left for the last wave against the places for blocks."""
    slots = facts.occupancy.blocks_per_sm * facts.device.sm_count if facts.occupancy else 0
    if not slots or min(facts.launch.grid) < 1:
        return
    waves, rest = divmod(facts.launch.blocks, slots)
    if not waves or not rest or waves >= MANY_WAVES or rest >= FULL_ENOUGH * slots:
        return
    yield Finding(
        kind="tail-effect",
        severity=Severity.NOTE,
        message=_("Tail effect: the last wave fills {share} of the slots").format(
            share=percent(rest / slots, 2)
        ),
        detail=ngettext(
            "{rest} block in {slots} slots", "{rest} blocks in {slots} slots", rest
        ).format(rest=count(rest), slots=count(slots)),
        numbers={"blocks": rest, "slots": slots, "waves": waves + 1},
        control="grid.x",
    )
