# SPDX-License-Identifier: MIT
"""A grid with no blocks along an axis."""

from collections.abc import Iterable, Iterator

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding, Fix
from threadloom.model.launch import Launch
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import (
    first_working,
    launch_with,
    suggested_launches,
    switching,
    use_blocks,
)


def find(facts: Facts) -> Iterable[Finding]:
    """Look for extents of the grid below 1."""
    for axis, asked in zip("xyz", facts.launch.grid, strict=True):
        if asked < 1:
            text = _("Grid {axis} is {asked}; each grid dimension must be at least 1")
            yield Finding(
                kind="grid-not-positive",
                severity=Severity.ERROR,
                message=text.format(axis=axis, asked=count(asked)),
                detail=_("Integer division rounds down. Round up: `(n + block - 1) / block`."),
                numbers={"axis": axis, "asked": asked, "limit": 1},
                fixes=tuple(_fixes(facts)),
                verdict="launch-error",
                control=f"grid.{axis}",
            )


def _fixes(facts: Facts) -> Iterator[Fix]:
    given = list(_same_block(facts)) if switching(facts) is None else []
    yield from given or suggested_launches(facts)


def _same_block(facts: Facts) -> Iterator[Fix]:
    if min(facts.launch.block) < 1:
        return
    launch = launch_with(facts, facts.launch.block)
    if facts.ruled_variant is None:
        grid = Dim3(*(max(1, value) for value in facts.launch.grid))
        launch = Launch(grid, facts.launch.block, facts.launch.shared_bytes)
    yield from first_working(facts, [(use_blocks(facts, launch.grid), launch)])
