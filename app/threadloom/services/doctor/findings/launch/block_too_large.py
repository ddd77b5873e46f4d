# SPDX-License-Identifier: MIT
"""More threads in a block than the device allows."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import suggested_launches


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold the product of the block's extents against the limit."""
    block, most = context.run.launch.block, context.run.device.max_threads_per_block
    if min(block) < 1 or block.count <= most:
        return
    text = _("Block too large: {threads} threads, this device allows {most} per block")
    axis = max(zip(block, "xyz", strict=True))[1]
    yield Finding(
        kind="block-too-large",
        severity=Severity.ERROR,
        message=text.format(threads=count(block.count), most=count(most)),
        detail=_("Use a smaller block and launch more blocks."),
        numbers={"threads": block.count, "limit": most},
        fixes=suggested_launches(context),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control(f"block.{axis}"),
    )
