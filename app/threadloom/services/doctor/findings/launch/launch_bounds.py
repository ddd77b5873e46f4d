# SPDX-License-Identifier: MIT
"""More threads in a block than the kernel itself promises to the compiler."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.fixes.suggested_launches import (
    describe,
    first_working,
    halved,
    launch_with,
)


def find(facts: Facts) -> Iterable[Finding]:
    """Hold the block against ``__launch_bounds__``, above which CUDA refuses the launch."""
    signature, block = facts.signature, facts.launch.block
    if signature is None or signature.launch_bounds is None or min(block) < 1:
        return
    most = signature.launch_bounds
    if not most < block.count <= facts.device.max_threads_per_block:
        return
    text = _("Launch bounds: the block has {threads} threads, `__launch_bounds__` allows {most}")
    launches = (launch_with(facts, smaller) for smaller in halved(block, most))
    fixes = list(first_working(facts, ((describe(launch), launch) for launch in launches)))
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
        verdict="launch-error",
        control="block.x",
    )
