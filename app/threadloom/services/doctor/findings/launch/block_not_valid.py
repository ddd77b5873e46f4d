# SPDX-License-Identifier: MIT
"""A block that the kernel is not written for."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import suggested_launches


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Ask the variant, whose kernel may count on a certain shape. An edited one may not."""
    if context.variant is None or context.edited or min(context.run.launch.block) < 1:
        return
    why = context.variant.rule.block_valid(context.run.launch.block)
    if why:
        yield Finding(
            kind="block-not-valid",
            severity=Severity.ERROR,
            message=_(
                "Unsupported block: this kernel does not work with blocks of ({block})"
            ).format(block=context.run.launch.block.short()),
            detail=why,
            fixes=suggested_launches(context),
            verdict=Verdict.LAUNCH_ERROR,
            control=Control.BLOCK_X,
        )
