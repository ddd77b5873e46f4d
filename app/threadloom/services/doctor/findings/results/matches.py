# SPDX-License-Identifier: MIT
"""Passed: the results are NumPy's."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.message import _, significant
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Say so if every output agrees, with the largest error of all."""
    if not context.run.comparisons or not all(c.matches for c in context.run.comparisons):
        return
    worst = max(context.run.comparisons, key=lambda comparison: comparison.max_error)
    yield Finding(
        kind="matches",
        severity=Severity.PASSED,
        message=_("Matches NumPy"),
        detail=_("Maximum error {error}, tolerance {tolerance}").format(
            error=significant(worst.max_error), tolerance=significant(worst.tolerance)
        ),
        numbers={"max_error": worst.max_error, "tolerance": worst.tolerance},
    )
