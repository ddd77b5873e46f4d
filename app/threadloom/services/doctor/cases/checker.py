# SPDX-License-Identifier: MIT
"""From a case to a verdict with findings and fixes, by the stages of a run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from threadloom.model.case import Case
from threadloom.model.finding import Finding, Verdict
from threadloom.model.launch import Launch
from threadloom.model.run import Run
from threadloom.services.doctor import diagnose, in_order, verdict
from threadloom.services.doctor.cases.arguments import misplaced_arguments
from threadloom.services.doctor.cases.compiled_case import Stages, Subject, run_of
from threadloom.services.doctor.cases.extents import NO_LAUNCH, asked_launch, refused_extents
from threadloom.services.doctor.cases.preparation import prepared_case, with_working_edits
from threadloom.services.doctor.cases.rejected_arguments import refused_arguments
from threadloom.services.doctor.cases.source_checks.uninitialized_variables import unset_variables
from threadloom.services.doctor.cases.trial import observe
from threadloom.services.doctor.cases.trial_launches import (
    in_python,
    whole_launches,
    with_trial_fixes,
)
from threadloom.services.messages.check import CheckRequest, CheckResult
from threadloom.services.run.device_compile import Assembly
from threadloom.services.run.engines import Engines
from threadloom.worker.outcome import Outcome
from threadloom.worker.protocol import Context

USUAL_BLOCK = (256, 1, 1)
"""Tried first where a case passes no block at all."""
_WITH_RESULT = {Verdict.OK, Verdict.UNCOVERED, Verdict.WRONG_RESULT}
"""Verdicts of launches whose outputs are the same each time."""


class Checker:
    """Checks cases with the engines and compilers of the runs."""

    def __init__(self, engines: Engines, assembly: Assembly) -> None:
        self._engines = engines
        self._assembly = assembly

    def check(self, request: CheckRequest, context: Context) -> CheckResult:
        """Check one case.

        Raises:
            CaseError: If a part of the case means nothing.
        """
        began = time.perf_counter()
        context.check()
        stages = Stages(self._engines, self._assembly, request.device, _OneLimit(context))
        result = _checked(request.case, stages)
        return replace(result, run=replace(result.run, elapsed_s=time.perf_counter() - began))


@dataclass(frozen=True, slots=True)
class _OneLimit:
    """The context of a check: whatever it compiles and launches shares the request's limit.

    Of a run, a stage that begins has a limit of its own; a check has as many as it has trials.
    """

    _context: Context

    @property
    def cancelled(self) -> bool:
        return self._context.cancelled

    def check(self) -> None:
        self._context.check()

    def recycle(self) -> None:
        self._context.recycle()

    def progress(self, message: object) -> None:
        """Nothing is sent ahead of a check."""

    def extend_deadline(self, seconds: float | None = None) -> None:
        """The limit stays what it is."""


def failed_check(request: CheckRequest, outcome: Outcome) -> CheckResult | None:
    """What can still be said of a launch whose kernel failed; None if it is no launch."""
    launch = asked_launch(request.case)
    if launch is None:
        return None
    run = replace(run_of(request.case, request.device), failure=outcome.message)
    return CheckResult(request.case, replace(run, findings=diagnose(run)), launch)


def _checked(case: Case, stages: Stages) -> CheckResult:
    """Compile, launch and explain one case, and try the fixes."""
    prepared, extents = prepared_case(case, stages), tuple(refused_extents(case))
    if prepared.subject is None:
        found = (*prepared.refused, *extents, *diagnose(prepared.run))
        return _result(case, prepared.run, with_working_edits(prepared, stages, found))
    refused = with_working_edits(prepared, stages, prepared.refused)
    return _of_call(case, prepared.subject, refused, extents)


def _of_call(
    case: Case, subject: Subject, refused: tuple[Finding, ...], extents: tuple[Finding, ...]
) -> CheckResult:
    """What PyCUDA and the driver say of arguments and launch, before a thread could run."""
    launch, signature = asked_launch(case), subject.stage.compiled.signature
    refused = (*refused, *refused_arguments(case, signature))
    if misplaced := tuple(misplaced_arguments(case, signature)):
        run = subject.context(launch or NO_LAUNCH).run
        return _result(case, run, (*refused, *extents, *misplaced))
    if launch is None or extents:
        return _mended_extents(case, subject, (*refused, *extents))
    context = subject.context(launch)
    before = diagnose(context.run, context.known)
    if refused:  # no other launch mends that
        rest = (replace(finding, fixes=()) for finding in before)
        return _result(case, context.run, (*refused, *rest))
    if any(finding.stops_launch for finding in before):
        return _result(case, context.run, with_trial_fixes(subject, context, before))
    return _of_run(case, subject, launch)


def _of_run(case: Case, subject: Subject, launch: Launch) -> CheckResult:
    """What was seen of the kernel."""
    seen = observe(subject, launch)
    found, trace = diagnose(seen.run, seen.known), seen.run.trace
    if trace is None or not trace.endless:  # else a trial takes as long
        found = with_trial_fixes(subject, seen, found)
    if verdict(found) in _WITH_RESULT:
        found = (*unset_variables(subject, launch), *found)
    return _result(case, seen.run, found)


def _mended_extents(case: Case, subject: Subject, refused: tuple[Finding, ...]) -> CheckResult:
    """Offer launches of whole extents that turn out to be right, in Python's words."""
    launch = asked_launch(case)
    asked = subject.context(launch or NO_LAUNCH)
    before = diagnose(asked.run, asked.known) if launch else ()
    found = (*refused, *(finding for finding in before if finding.stops_launch))
    near = whole_launches(case.block or USUAL_BLOCK, case.grid, case.shared_bytes)
    if near:
        found = with_trial_fixes(subject, subject.context(NO_LAUNCH), found, near)
    return _result(case, asked.run, [in_python(finding) for finding in found])


def _result(case: Case, run: Run, found: Sequence[Finding]) -> CheckResult:
    return CheckResult(case, replace(run, findings=in_order(found)), asked_launch(case))
