# SPDX-License-Identifier: MIT
"""One extent of the grid above what the device allows for that axis."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.launch import Launch
from threadloom.model.message import Message, _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import (
    extents,
    first_working,
    launch_with,
    suggested_launches,
    switching,
)


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold each extent against the limit of its axis."""
    for axis, asked, allowed in zip(
        "xyz", context.run.launch.grid, context.run.device.max_grid, strict=True
    ):
        if asked > allowed:
            yield _finding(context, axis, asked, allowed)


def _finding(context: DiagnosticContext, axis: str, asked: int, allowed: int) -> Finding:
    text = _("Grid {axis} is {asked}; this device allows {allowed}")
    near = [] if switching(context) else list(first_working(context, _near(context, axis, allowed)))
    detail = _("The limit for x is {most}.").format(most=count(context.run.device.max_grid.x))
    return Finding(
        kind="grid-axis-too-large",
        severity=Severity.ERROR,
        message=text.format(axis=axis, asked=count(asked), allowed=count(allowed)),
        detail=detail
        if axis != "x"
        else _("Use larger blocks, or give each thread more elements."),
        numbers={"axis": axis, "asked": asked, "limit": allowed},
        fixes=(*near[:1], *suggested_launches(context, most=1)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control(f"grid.{axis}"),
    )


def _near(context: DiagnosticContext, axis: str, allowed: int) -> Iterator[tuple[Message, Launch]]:
    """The axes swapped, where a rule can tell that they were; else a block longer on this axis."""
    launch = context.run.launch
    if context.ruled_variant is not None and axis in "xy":
        swapped = replace(launch, grid=Dim3(launch.grid.y, launch.grid.x, launch.grid.z))
        yield _("Swap x and y"), swapped
    if min(launch.block) < 1:
        return
    for block in _longer(launch.block, axis, context.run.device.max_threads_per_block):
        yield _("Use {block} blocks").format(block=extents(block)), launch_with(context, block)


def _longer(block: Dim3, axis: str, most: int) -> Iterator[Dim3]:
    """Blocks twice, four times … as long on one axis, at most as many threads as are allowed."""
    length = getattr(block, axis) * 2
    while (longer := replace(block, **{axis: length})).count <= most:
        yield longer
        length *= 2
