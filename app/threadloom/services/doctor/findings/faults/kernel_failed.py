# SPDX-License-Identifier: MIT
"""A kernel that was stopped, or that took its process along."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Verdict
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.driver_messages import meaning
from threadloom.text import _


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Pass on the words of the engine or the worker."""
    if context.run.failure:
        afresh = _("There is no result; the next run starts afresh.")
        meant = meaning(context.run.failure)
        yield Finding(
            kind="kernel-failed",
            severity=Severity.ERROR,
            message=meant or context.run.failure,
            detail=f"{context.run.failure}\n{afresh}" if meant else afresh,
            verdict=Verdict.LAUNCH_ERROR,
        )
