# SPDX-License-Identifier: MIT
"""A grid that stays as it is when the size changes."""

from collections.abc import Iterable
from dataclasses import replace

from threadloom.model.finding import Control, Finding, Fix
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import works


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Offer to let the variant's rule say how many blocks there are."""
    if context.run.job.grid is None or context.ruled_grid is None:
        return
    helps = works(context, replace(context.run.launch, grid=context.ruled_grid))
    fix = Fix(_("Turn on"), grid=context.ruled_grid, grid_follows_size=True)
    yield Finding(
        kind="fixed-grid",
        severity=Severity.NOTE,
        message=_("Fixed grid: it does not follow the size"),
        detail=_("Let the grid follow the size to keep all elements covered."),
        fixes=(fix,) if helps else (),
        control=Control.GRID_FOLLOWS_SIZE,
    )
