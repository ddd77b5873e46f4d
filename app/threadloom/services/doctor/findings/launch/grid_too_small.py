# SPDX-License-Identifier: MIT
"""Before a run: a grid that the size has outgrown."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import extents, reaching_all


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold the grid against the variant's rule; a run says more, and `uncovered` then speaks."""
    needed = context.ruled_grid
    if context.run.trace is not None or context.run.comparisons or needed is None:
        return
    asked = context.run.launch.grid
    if min(asked) < 1 or all(a >= n for a, n in zip(asked, needed, strict=True)):
        return
    yield Finding(
        kind="grid-too-small",
        severity=Severity.WARNING,
        message=_("Grid too small: {asked} blocks, this size needs {needed}").format(
            asked=extents(asked), needed=extents(needed)
        ),
        detail=_("Launch more blocks, or use larger ones."),
        numbers={"blocks": asked.count, "needed": needed.count},
        fixes=reaching_all(context),
        verdict=Verdict.UNCOVERED,
        control=Control.GRID_X,
    )
