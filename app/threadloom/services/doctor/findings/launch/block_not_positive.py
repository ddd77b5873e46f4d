# SPDX-License-Identifier: MIT
"""A block with no threads along an axis."""

from collections.abc import Iterable

from threadloom.model.finding import Control, Finding, Verdict
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.fixes.suggested_launches import suggested_launches


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Look for extents of the block below 1."""
    for axis, asked in zip("xyz", context.run.launch.block, strict=True):
        if asked < 1:
            text = _("Block {axis} is {asked}; each block dimension must be at least 1")
            yield Finding(
                kind="block-not-positive",
                severity=Severity.ERROR,
                message=text.format(axis=axis, asked=count(asked)),
                detail=_("CUDA rejects a block without threads."),
                numbers={"axis": axis, "asked": asked, "limit": 1},
                fixes=suggested_launches(context),
                verdict=Verdict.LAUNCH_ERROR,
                control=Control(f"block.{axis}"),
            )
