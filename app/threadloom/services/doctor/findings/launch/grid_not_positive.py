# SPDX-License-Identifier: MIT
"""A grid with no blocks along an axis."""

from collections.abc import Iterable, Iterator

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Control, Finding, Fix, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import (
    first_working,
    launch_with,
    suggested_launches,
    switching,
    use_blocks,
)


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Look for extents of the grid below 1."""
    for axis, asked in zip("xyz", context.run.launch.grid, strict=True):
        if asked < 1:
            text = _("Grid {axis} is {asked}; each grid dimension must be at least 1")
            yield Finding(
                kind="grid-not-positive",
                severity=Severity.ERROR,
                message=text.format(axis=axis, asked=count(asked)),
                detail=_("Integer division truncates. Round up: `(n + block - 1) / block`."),
                numbers={"axis": axis, "asked": asked, "limit": 1},
                fixes=tuple(_fixes(context)),
                verdict=Verdict.LAUNCH_ERROR,
                control=Control(f"grid.{axis}"),
            )


def _fixes(context: DiagnosticContext) -> Iterator[Fix]:
    given = list(_same_block(context)) if switching(context) is None else []
    yield from given or suggested_launches(context)


def _same_block(context: DiagnosticContext) -> Iterator[Fix]:
    if min(context.run.launch.block) < 1:
        return
    launch = launch_with(context, context.run.launch.block)
    if context.ruled_variant is None:
        grid = Dim3(*(max(1, value) for value in context.run.launch.grid))
        launch = Launch(grid, context.run.launch.block, context.run.launch.shared_bytes)
    yield from first_working(context, [(use_blocks(context, launch.grid), launch)])
