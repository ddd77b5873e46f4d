# SPDX-License-Identifier: MIT
"""From a case to a verdict with findings and fixes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding, Verdict
from threadloom.model.launch import Launch
from threadloom.model.run import Run
from threadloom.model.trace import Trace
from threadloom.services.client import ask
from threadloom.services.devices.device_table import find
from threadloom.services.doctor import diagnose, in_order, verdict
from threadloom.services.doctor.cases.arguments import misplaced_arguments
from threadloom.services.doctor.cases.case import Case, CaseError, read_case
from threadloom.services.doctor.cases.compiled_case import Subject, run_of
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
from threadloom.worker.outcome import Outcome, RequestFailedError
from threadloom.worker.protocol import Context
from threadloom.worker.time_limit import Clock

DEVICE = "H200"
"""Device of the table whose limits a case is held against unless another is named."""
USUAL_BLOCK = (256, 1, 1)
"""Tried first where a case passes no block at all."""
_WITH_RESULT = {Verdict.OK, Verdict.UNCOVERED, Verdict.WRONG_RESULT}
"""Verdicts of launches whose outputs are the same each time."""
_LAUNCHES = 3
"""Launches of the longest kernel that the time limit allows for: two observations, and the rest."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Check one case against the limits of a device of the table."""

    case: Case
    device: DeviceModel
    limit_s: float = 0.0
    """After so many seconds a launch is stopped, and the line where it spins is named; 0 for never.
    """


@dataclass(frozen=True, slots=True, eq=False)
class CheckResult:
    """What there is to say of a case."""

    case: Case
    run: Run
    launch: Launch | None
    """None if the extents are no launch."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Worst first."""
        return self.run.findings

    @property
    def trace(self) -> Trace | None:
        """None if nothing was launched."""
        return self.run.trace

    @property
    def outputs(self) -> Mapping[str, Array]:
        """By argument name, as the caller would see them."""
        return self.run.outputs

    @property
    def verdict(self) -> str:
        """The first thing to say, such as ``out-of-bounds``."""
        return verdict(self.run.findings)


def check_case(
    case: Path | Case,
    device: str = DEVICE,
    max_time_s: float = 60.0,
    limit_s: float | None = None,
) -> CheckResult:
    """Check a case, or the one of a file or folder, in a child process.

    A kernel that crashes its process or never ends is a finding of the result. A launch is stopped
    after ``limit_s``, by default a part of ``max_time_s`` that leaves time to say where it spins.
    Both count processor time.

    Raises:
        CaseError: If the case cannot be read.
        UnknownDeviceError: If the table has no such device.
        RequestFailedError: If there is no result for a reason outside the kernel.
    """
    read = case if isinstance(case, Case) else read_case(case)
    limit_s = max_time_s / _LAUNCHES if limit_s is None else limit_s
    request = CheckRequest(read, find(device), limit_s)
    try:
        result = ask(
            request,
            max_time_s,
            handler=handle,
            clock=Clock.PROCESSOR,
            failed_result=_failed_result,
        )
    except RequestFailedError as error:
        if isinstance(error.outcome.error, CaseError):
            raise error.outcome.error from error
        raise
    assert isinstance(result, CheckResult)  # noqa: S101 - the handler's own type
    return result


def _failed_result(request: CheckRequest, outcome: Outcome, *_messages: object) -> object | None:
    """What can still be said of a launch whose kernel failed."""
    launch = asked_launch(request.case)
    if launch is None:
        return None
    run = replace(run_of(request.case, request.device), failure=outcome.message)
    return CheckResult(request.case, replace(run, findings=diagnose(run)), launch)


def handle(request: CheckRequest, context: Context) -> CheckResult:
    """Check one case; runs in the child."""
    began = time.perf_counter()
    context.check()
    result = inspect(request.case, EmulatorBackend(request.device, limit_s=request.limit_s))
    return replace(result, run=replace(result.run, elapsed_s=time.perf_counter() - began))


def inspect(case: Case, backend: EmulatorBackend) -> CheckResult:
    """Check one case with an engine that observes, in this process."""
    prepared, extents = prepared_case(case, backend), tuple(refused_extents(case))
    if prepared.subject is None:
        found = (*prepared.refused, *extents, *diagnose(prepared.run))
        return _result(case, prepared.run, with_working_edits(prepared, backend, found))
    refused = with_working_edits(prepared, backend, prepared.refused)
    return _of_call(case, prepared.subject, refused, extents)


def _of_call(
    case: Case, subject: Subject, refused: tuple[Finding, ...], extents: tuple[Finding, ...]
) -> CheckResult:
    """What PyCUDA and the driver say of arguments and launch, before a thread could run."""
    launch, signature = asked_launch(case), subject.compiled.signature
    refused = (*refused, *refused_arguments(case, signature))
    if misplaced := tuple(misplaced_arguments(case, signature)):
        run = subject.context(launch or NO_LAUNCH).run
        return _result(case, run, (*refused, *extents, *misplaced))
    if launch is None or extents:
        return _mended_extents(case, subject, (*refused, *extents))
    context = subject.context(launch)
    before = diagnose(context.run, context.known)
    if refused:  # no other launch fixes that
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
