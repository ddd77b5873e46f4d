# SPDX-License-Identifier: MIT
"""More shared memory in declarations than a kernel may declare."""

from collections.abc import Iterable

from threadloom.backends.source import parse
from threadloom.model.finding import Control, Finding, Verdict, Where
from threadloom.model.message import _, binary_bytes, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Hold declared shared memory against the limit that the assembler has for it.

    It stands in no other tool's way: the front end takes it, and so does a CPU.
    """
    limit = context.run.device.shared_per_block
    declared = context.run.resources.shared_bytes if context.run.resources else 0
    if declared <= limit or not context.compiled:
        return
    shared = parse(context.run.source).shared
    text = _(
        "Too much static shared memory: {declared} ({bytes} bytes) declared, the limit is {limit}"
    )
    yield Finding(
        kind="static-shared",
        severity=Severity.ERROR,
        message=text.format(
            declared=binary_bytes(declared), bytes=count(declared), limit=binary_bytes(limit)
        ),
        detail=_(
            "Use dynamic shared memory (`extern __shared__`), up to {most} on this device."
        ).format(most=binary_bytes(context.run.device.shared_per_block_optin)),
        where=Where(
            line=shared[0].line if shared else None, array=shared[0].name if shared else None
        ),
        numbers={"declared": declared, "limit": limit},
        verdict=Verdict.COMPILE_ERROR,
        control=Control.SOURCE,
    )
