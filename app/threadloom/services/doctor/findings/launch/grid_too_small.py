# SPDX-License-Identifier: MIT
"""Before a run: a grid that the size has outgrown."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import extents, reaching_all


def find(facts: Facts) -> Iterable[Finding]:
    """Hold the grid against the variant's rule; a run says more, and `uncovered` then speaks."""
    needed = facts.ruled_grid
    if facts.trace is not None or facts.comparisons or needed is None:
        return
    asked = facts.launch.grid
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
        fixes=reaching_all(facts),
        verdict="uncovered",
        control="grid.x",
    )
