# SPDX-License-Identifier: MIT
"""A kernel that was stopped, or that took its process along."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.program import Severity
from threadloom.services.diagnose.driver_words import meaning
from threadloom.services.diagnose.facts import Facts
from threadloom.text import _


def find(facts: Facts) -> Iterable[Finding]:
    """Pass on the words of the engine or the worker."""
    if facts.failure:
        afresh = _("There is no result; the next run starts afresh.")
        meant = meaning(facts.failure)
        yield Finding(
            kind="kernel-died",
            severity=Severity.ERROR,
            message=meant or facts.failure,
            detail=f"{facts.failure}\n{afresh}" if meant else afresh,
            verdict="launch-error",
        )
