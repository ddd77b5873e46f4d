# SPDX-License-Identifier: MIT
"""A kernel that was stopped, or that took its process along."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.message import _
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.driver_messages import meaning


def find(facts: Facts) -> Iterable[Finding]:
    """Pass on the words of the engine or the worker."""
    if facts.failure:
        afresh = _("There is no result; the next run starts afresh.")
        meant = meaning(facts.failure)
        yield Finding(
            kind="kernel-failed",
            severity=Severity.ERROR,
            message=meant or facts.failure,
            detail=f"{facts.failure}\n{afresh}" if meant else afresh,
            verdict="launch-error",
        )
