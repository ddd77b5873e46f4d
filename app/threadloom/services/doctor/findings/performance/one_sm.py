# SPDX-License-Identifier: MIT
"""A launch of one block, which one multiprocessor works on alone."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import fixed, switching

SMALL = 1024
"""Elements up to which more SMs have nothing to win."""


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Speak up where the problem has enough elements for more than one block."""
    idle = context.run.device.sm_count - 1
    if context.run.launch.blocks != 1 or idle < 1 or context.elements is None:
        return
    large = context.elements > SMALL
    fixes = [f for f in fixed(context, variant=switching(context)) if f.grid and f.grid.count > 1]
    yield Finding(
        kind="one-sm",
        severity=context.advice if large else Severity.NOTE,
        message=_("One block uses one SM"),
        detail=_("The other {idle} SMs stay idle. Launch more blocks.").format(idle=count(idle)),
        numbers={"sms": context.run.device.sm_count, "idle": idle},
        fixes=tuple(fixes[:1]) if large else (),
        control=Control.GRID_X,
    )
