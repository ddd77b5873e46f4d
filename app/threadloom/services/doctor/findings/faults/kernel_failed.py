# SPDX-License-Identifier: MIT
"""A kernel that was stopped, or that ended its process."""

from collections.abc import Iterable

from threadloom.model.finding import Finding, Verdict
from threadloom.model.message import _, joined
from threadloom.model.severity import Severity
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.driver_messages import explanation


def find(context: DiagnosticContext) -> Iterable[Finding]:
    """Report what the engine or the worker says, with an explanation where one is known."""
    failure = context.run.failure
    if not failure:
        return
    explained = explanation(failure.english())
    no_result = _("There is no result. The next run starts a new process.")
    driver = dict(failure.args).get("text")
    yield Finding(
        kind="kernel-failed",
        severity=Severity.ERROR,
        message=explained or failure,
        detail=joined([failure, no_result], "\n") if explained else no_result,
        numbers={"driver": driver} if isinstance(driver, str) else {},
        verdict=Verdict.LAUNCH_ERROR,
    )
