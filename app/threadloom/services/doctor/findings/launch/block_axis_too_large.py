# SPDX-License-Identifier: MIT
"""One extent of a block above what the device allows for that axis."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

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
)


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold each extent against the limit of its axis.

    An extent that breaks the limit for the whole block, too, is left to `block_too_large`.
    """
    for axis, asked, allowed in zip(
        "xyz", context.run.launch.block, context.run.device.max_block, strict=True
    ):
        if asked > allowed and asked <= context.run.device.max_threads_per_block:
            yield _finding(context, axis, asked, allowed)


def _finding(context: DiagnosticContext, axis: str, asked: int, allowed: int) -> Finding:
    text = _("Block {axis} is {asked}; this device allows {allowed}")
    return Finding(
        kind="block-axis-too-large",
        severity=Severity.ERROR,
        message=text.format(axis=axis, asked=count(asked), allowed=count(allowed)),
        detail=_("A block has at most {most} threads in total.").format(
            most=count(context.run.device.max_threads_per_block)
        ),
        numbers={"axis": axis, "asked": asked, "limit": allowed},
        fixes=(*_cut(context, axis, allowed), *suggested_launches(context, most=1)),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control(f"block.{axis}"),
    )


def _cut(context: DiagnosticContext, axis: str, allowed: int) -> Iterator[Fix]:
    if min(context.run.launch.block) < 1:
        return
    block: Dim3 = replace(context.run.launch.block, **{axis: allowed})
    launch: Launch = launch_with(context, block)
    title = _("Set {axis} to {allowed}").format(axis=axis, allowed=count(allowed))
    yield from first_working(context, [(title, launch)])
