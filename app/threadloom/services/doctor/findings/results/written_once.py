# SPDX-License-Identifier: MIT
"""Passed: each element has exactly one writer."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Where
from threadloom.model.message import _, count
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Say so for arrays that are to be written wholly, and are, once."""
    for name in context.outputs:
        coverage = context.run.trace.coverage.get(name) if context.run.trace else None
        if coverage is not None and coverage.elements and bool((coverage.writes == 1).all()):
            yield Finding(
                kind="written-once",
                severity=Severity.PASSED,
                message=_("Each element of {array} is written once").format(array=name),
                detail=_("Checked on all {elements} elements").format(
                    elements=count(coverage.elements)
                ),
                where=Where(array=name),
                numbers={"elements": coverage.elements},
            )
