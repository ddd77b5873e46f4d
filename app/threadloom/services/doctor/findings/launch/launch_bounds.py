# SPDX-License-Identifier: MIT
"""More threads in a block than the kernel itself promises to the compiler."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import (
    describe,
    first_working,
    halved,
    launch_with,
)


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold the block against ``__launch_bounds__``, above which CUDA refuses the launch."""
    signature, block = context.run.signature, context.run.launch.block
    if signature is None or signature.launch_bounds is None or min(block) < 1:
        return
    most = signature.launch_bounds
    if not most < block.count <= context.run.device.max_threads_per_block:
        return
    text = _("Launch bounds: the block has {threads} threads, `__launch_bounds__` allows {most}")
    launches = (launch_with(context, smaller) for smaller in halved(block, most))
    fixes = list(first_working(context, ((describe(launch), launch) for launch in launches)))
    yield Finding(
        kind="launch-bounds",
        severity=Severity.ERROR,
        message=text.format(threads=count(block.count), most=count(most)),
        detail=_(
            "The compiler assigned registers for that many. Use a smaller block or raise the bound."
        ),
        where=Where(line=signature.line),
        numbers={"threads": block.count, "limit": most},
        fixes=tuple(fixes[:2]),
        verdict=Verdict.LAUNCH_ERROR,
        control=Control.BLOCK_X,
    )
