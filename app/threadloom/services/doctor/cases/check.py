# SPDX-License-Identifier: MIT
"""From a case to a verdict with findings and fixes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Array
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch
from threadloom.model.provenance import Engine
from threadloom.model.trace import Trace
from threadloom.services.devices.device_table import find
from threadloom.services.devices.memory import limit_bytes
from threadloom.services.doctor import Facts, diagnose, in_order, verdict
from threadloom.services.doctor.cases.arguments import misplaced_arguments
from threadloom.services.doctor.cases.case import Case, CaseError, read_case
from threadloom.services.doctor.cases.compiled_case import Subject
from threadloom.services.doctor.cases.extents import NO_LAUNCH, asked_launch, refused_extents
from threadloom.services.doctor.cases.preparation import prepared_case, with_working_edits
from threadloom.services.doctor.cases.rejected_arguments import refused_arguments
from threadloom.services.doctor.cases.source_checks.uninitialized_variables import unset_variables
from threadloom.services.doctor.cases.trial import Seen, observe
from threadloom.services.doctor.cases.trial_launches import (
    in_python,
    whole_launches,
    with_trial_fixes,
)
from threadloom.worker.once import RequestFailedError, run_once
from threadloom.worker.outcome import Ending
from threadloom.worker.protocol import Context

DEVICE = "H200"
"""Device of the table whose limits a case is held against unless another is named."""
USUAL_BLOCK = (256, 1, 1)
"""Tried first where a case passes no block at all."""
_WITH_RESULT = {"ok", "uncovered", "wrong-result"}
"""Verdicts of launches whose outputs are the same each time."""
_LAUNCHES = 3
"""Launches of the longest kernel that a deadline allows for: two looks at it, and the rest."""


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
    device: DeviceModel
    launch: Launch | None
    """None if the extents are no launch."""
    findings: tuple[Finding, ...]
    engine: Engine = Engine.EMULATOR
    trace: Trace | None = None
    """None if nothing was launched."""
    outputs: Mapping[str, Array] = field(default_factory=dict)
    """By argument name, as the caller would see them."""
    elapsed_s: float = 0.0

    @property
    def verdict(self) -> str:
        """The first thing to say, such as ``out-of-bounds``."""
        return verdict(self.findings)


def check_case(
    case: Path | Case,
    device: str = DEVICE,
    deadline_s: float = 60.0,
    limit_s: float | None = None,
) -> CheckResult:
    """Check a case, or the one of a file or folder, in a child process.

    A kernel that crashes its process or never ends is a finding of the result. A launch is stopped
    after ``limit_s``, by default a part of the deadline that leaves time to say where it spins.

    Raises:
        CaseError: If the case cannot be read.
        UnknownDeviceError: If the table has no such device.
        RequestFailedError: If there is no result for a reason outside the kernel.
    """
    read = case if isinstance(case, Case) else read_case(case)
    limit_s = deadline_s / _LAUNCHES if limit_s is None else limit_s
    request = CheckRequest(read, find(device), limit_s)
    try:
        result = run_once(handle, request, deadline_s, memory_bytes=limit_bytes())
    except RequestFailedError as error:
        return _failed(request, error)
    assert isinstance(result, CheckResult)  # noqa: S101 - the handler's own type
    return result


def _failed(request: CheckRequest, error: RequestFailedError) -> CheckResult:
    """What the outcome says, if it is the kernel's doing."""
    if isinstance(error.outcome.error, CaseError):
        raise error.outcome.error from error
    harmed = {Ending.CRASHED, Ending.EXITED, Ending.DEADLINE, Ending.OUT_OF_MEMORY}
    launch = asked_launch(request.case)
    if error.outcome.ending not in harmed or launch is None:
        raise error
    facts = Facts(request.device, launch, failure=error.outcome.message)
    return CheckResult(request.case, request.device, launch, diagnose(facts))


def handle(request: CheckRequest, context: Context) -> CheckResult:
    """Check one case; runs in the child."""
    began = time.perf_counter()
    context.check()
    result = inspect(request.case, EmulatorBackend(request.device, limit_s=request.limit_s))
    return replace(result, elapsed_s=time.perf_counter() - began)


def inspect(case: Case, backend: EmulatorBackend) -> CheckResult:
    """Check one case with an engine that observes, in this process."""
    prepared, extents = prepared_case(case, backend), tuple(refused_extents(case))
    if prepared.subject is None:
        found = (*prepared.refused, *extents, *diagnose(prepared.facts))
        return _result(case, prepared.facts, with_working_edits(prepared, backend, found))
    refused = with_working_edits(prepared, backend, prepared.refused)
    return _of_call(case, prepared.subject, refused, extents)


def _of_call(
    case: Case, subject: Subject, refused: tuple[Finding, ...], extents: tuple[Finding, ...]
) -> CheckResult:
    """What PyCUDA and the driver say of arguments and launch, before a thread could run."""
    launch, signature = asked_launch(case), subject.compiled.signature
    refused = (*refused, *refused_arguments(case, signature))
    if misplaced := tuple(misplaced_arguments(case, signature)):
        facts = subject.facts(launch or NO_LAUNCH)
        return _result(case, facts, (*refused, *extents, *misplaced))
    if launch is None or extents:
        return _mended_extents(case, subject, (*refused, *extents))
    before = diagnose(subject.facts(launch))
    if refused:  # no other launch fixes that
        rest = (replace(finding, fixes=()) for finding in before)
        return _result(case, subject.facts(launch), (*refused, *rest))
    if any(finding.stops_launch for finding in before):
        found = with_trial_fixes(subject, subject.facts(launch), before)
        return _result(case, subject.facts(launch), found)
    return _of_run(case, subject, launch)


def _of_run(case: Case, subject: Subject, launch: Launch) -> CheckResult:
    """What was seen of the kernel."""
    seen = observe(subject, launch)
    found = diagnose(seen.facts)
    if seen.facts.trace is None or not seen.facts.trace.endless:  # else a trial takes as long
        found = with_trial_fixes(subject, seen.facts, found)
    if verdict(found) in _WITH_RESULT:
        found = (*unset_variables(subject, launch), *found)
    return _result(case, seen.facts, found, seen)


def _mended_extents(case: Case, subject: Subject, refused: tuple[Finding, ...]) -> CheckResult:
    """Offer launches of whole extents that turn out to be right, in Python's words."""
    launch, device = asked_launch(case), subject.backend.device
    before = diagnose(subject.facts(launch)) if launch else ()
    found = (*refused, *(finding for finding in before if finding.stops_launch))
    near = whole_launches(case.block or USUAL_BLOCK, case.grid, case.shared_bytes)
    if near:
        found = with_trial_fixes(subject, subject.facts(NO_LAUNCH), found, near)
    return CheckResult(case, device, launch, in_order(in_python(finding) for finding in found))


def _result(
    case: Case, facts: Facts, found: tuple[Finding, ...], seen: Seen | None = None
) -> CheckResult:
    return CheckResult(
        case=case,
        device=facts.device,
        launch=asked_launch(case),
        findings=in_order(found),
        trace=facts.trace,
        outputs=seen.outputs if seen else {},
    )
