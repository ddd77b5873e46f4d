# SPDX-License-Identifier: MIT
"""A kernel that was stopped, or that ended its process."""

from collections.abc import Iterable

from threadloom.model.finding import Finding
from threadloom.model.message import _, joined
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import Facts
from threadloom.services.doctor.driver_messages import explanation


def find(facts: Facts) -> Iterable[Finding]:
    """Report what the engine or the worker says, with an explanation where one is known."""
    if not facts.failure:
        return
    explained = explanation(facts.failure.english())
    no_result = _("There is no result. The next run starts a new process.")
    driver = dict(facts.failure.args).get("text")
    yield Finding(
        kind="kernel-failed",
        severity=Severity.ERROR,
        message=explained or facts.failure,
        detail=joined([facts.failure, no_result], "\n") if explained else no_result,
        numbers={"driver": driver} if isinstance(driver, str) else {},
        verdict="launch-error",
    )
