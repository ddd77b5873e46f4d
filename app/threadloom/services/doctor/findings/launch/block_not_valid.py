# SPDX-License-Identifier: MIT
"""A block that the kernel is not written for."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import suggested_launches


def find(facts: Facts) -> Iterable[Finding]:
    """Ask the variant, whose kernel may count on a certain shape. An edited one may not."""
    if facts.variant is None or facts.edited or min(facts.launch.block) < 1:
        return
    why = facts.variant.rule.block_valid(facts.launch.block)
    if why:
        yield Finding(
            kind="block-not-valid",
            severity=Severity.ERROR,
            message=_(
                "Unsupported block: this kernel does not work with blocks of ({block})"
            ).format(block=facts.launch.block.short()),
            detail=why,
            fixes=suggested_launches(facts),
            verdict="launch-error",
            control="block.x",
        )
