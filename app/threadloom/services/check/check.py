# SPDX-License-Identifier: MIT
"""From a case to a verdict with findings and fixes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from threadloom.backends.base import CompileError
from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.source import parse
from threadloom.model.array import Array
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import Launch
from threadloom.model.program import Program, Severity
from threadloom.model.provenance import Engine
from threadloom.model.trace import Trace
from threadloom.services.check.argument_refusals import as_meant, refused_arguments
from threadloom.services.check.attempt import Seen, observe
from threadloom.services.check.case import Case, CaseError, read_case
from threadloom.services.check.extents import AXES, is_whole, refused_extents, whole_extents
from threadloom.services.check.refusals import argument_count, linkage
from threadloom.services.check.remedy import in_python, whole_launches, with_remedies
from threadloom.services.check.subject import Subject, compile_wholly
from threadloom.services.check.values import passed
from threadloom.services.device_table import find
from threadloom.services.diagnose import Facts, diagnose, verdict
from threadloom.services.memory import limit_bytes
from threadloom.worker.once import RequestFailedError, run_once
from threadloom.worker.outcome import Ending
from threadloom.worker.protocol import Context

DEVICE = "H200"
"""Device of the table whose limits a case is held against unless another is named."""
USUAL_BLOCK = (256, 1, 1)
"""Tried first where a case passes no block at all."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Check one case against the limits of a device of the table."""

    case: Case
    device: DeviceModel


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


def check_case(case: Path | Case, device: str = DEVICE, deadline_s: float = 60.0) -> CheckResult:
    """Check a case, or the one of a file or folder, in a child process.

    A kernel that crashes its process or never ends is a finding of the result.

    Raises:
        CaseError: If the case cannot be read.
        UnknownDeviceError: If the table has no such device.
        RequestFailedError: If there is no result for a reason outside the kernel.
    """
    read = case if isinstance(case, Case) else read_case(case)
    request = CheckRequest(read, find(device))
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
    result = inspect(request.case, EmulatorBackend(request.device))
    return replace(result, elapsed_s=time.perf_counter() - began)


def asked_launch(case: Case) -> Launch | None:
    """The launch of a case if it is up to three whole numbers each and a whole one of bytes."""
    if not all(is_whole(value) for value in (*case.block, *case.grid, case.shared_bytes)):
        return None
    if not case.block or max(len(case.block), len(case.grid)) > AXES:
        return None
    block, grid = (Dim3.of(whole_extents(e)) for e in (case.block, case.grid))  # type: ignore[arg-type]
    return Launch(grid, block, int(case.shared_bytes))  # type: ignore[call-overload]


def inspect(case: Case, backend: EmulatorBackend) -> CheckResult:
    """Check one case with an engine that observes, in this process."""
    launch = asked_launch(case)
    names, extents = tuple(linkage(case, parse(case.source))), tuple(refused_extents(case))
    refused = (*names, *extents)
    if any(finding.kind == "no-such-kernel" for finding in names):
        return CheckResult(case, backend.device, launch, refused)
    subject = _subject(case, backend)
    if isinstance(subject, Facts):
        return _result(case, subject, (*refused, *diagnose(subject)))
    if miscounted := tuple(argument_count(case, subject.compiled.signature)):
        return CheckResult(case, backend.device, launch, (*refused, *miscounted))
    refused = (*refused, *refused_arguments(case, subject.compiled.signature))
    if launch is None or extents:
        return _mended_extents(subject, launch, refused)
    before = diagnose(subject.facts(launch))
    if refused or any(finding.stops_launch for finding in before):
        found = with_remedies(subject, subject.facts(launch), (*refused, *before))
        return _result(case, subject.facts(launch), found)
    seen = observe(subject, launch)
    found = with_remedies(subject, seen.facts, diagnose(seen.facts))
    return _result(case, seen.facts, found, seen)


def _subject(case: Case, backend: EmulatorBackend) -> Subject | Facts:
    """The compiled case; or what is known of one that does not compile."""
    program = Program(case.source, case.kernel, options=case.flags)
    try:
        compiled = compile_wholly(backend, program)
    except CompileError as error:
        launch = asked_launch(case) or Launch(Dim3(), Dim3())
        return Facts(
            backend.device,
            launch,
            source=case.source,
            diagnostics=error.diagnostics,
            compile_log=error.log or str(error),
        )
    pairs = list(zip(compiled.signature.parameters, case.arguments, strict=False))
    return Subject(
        case=case,
        backend=backend,
        compiled=compiled,
        values={
            parameter.name: passed(as_meant(argument, parameter)) for parameter, argument in pairs
        },
        argument_of={parameter.name: argument for parameter, argument in pairs},
    )


def _mended_extents(
    subject: Subject, launch: Launch | None, refused: tuple[Finding, ...]
) -> CheckResult:
    """Offer launches of whole extents that turn out to be right, in Python's words."""
    case, device = subject.case, subject.backend.device
    before = diagnose(subject.facts(launch)) if launch else ()
    found = (*refused, *(finding for finding in before if finding.stops_launch))
    near = whole_launches(case.block or USUAL_BLOCK, case.grid, case.shared_bytes)
    if near:
        nothing = subject.facts(Launch(Dim3(), Dim3()))
        found = with_remedies(subject, nothing, found, near)
    return CheckResult(case, device, launch, tuple(in_python(finding) for finding in found))


def _result(
    case: Case, facts: Facts, found: tuple[Finding, ...], seen: Seen | None = None
) -> CheckResult:
    order = list(Severity)
    return CheckResult(
        case=case,
        device=facts.device,
        launch=asked_launch(case),
        findings=tuple(sorted(found, key=lambda finding: order.index(finding.severity))),
        trace=facts.trace,
        outputs=seen.outputs if seen else {},
    )
