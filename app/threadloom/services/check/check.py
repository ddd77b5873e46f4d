# SPDX-License-Identifier: MIT
"""From a case to a verdict with findings and fixes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from threadloom.backends.base import CompileError, KernelLeftOutError, NotEmulatedError
from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.source import ParsedSource, parse
from threadloom.model.apply import apply_edit
from threadloom.model.array import Array
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding, Fix
from threadloom.model.launch import Launch
from threadloom.model.program import Program, Severity
from threadloom.model.provenance import Engine
from threadloom.model.trace import Trace
from threadloom.services.check.argument_refusals import as_meant, refused_arguments
from threadloom.services.check.arguments import misplaced_arguments
from threadloom.services.check.attempt import Seen, observe
from threadloom.services.check.c_linkage import refused_in_c
from threadloom.services.check.case import Case, CaseError, read_case
from threadloom.services.check.constexpr_calls import refused_constexpr
from threadloom.services.check.extents import NOTHING, asked_launch, refused_extents
from threadloom.services.check.headers import refused_headers
from threadloom.services.check.host_calls import refused_host_code
from threadloom.services.check.lookup import left_out, refused_name, source_name
from threadloom.services.check.nvcc_flags import refused_flags
from threadloom.services.check.remedy import in_python, whole_launches, with_remedies
from threadloom.services.check.subject import Subject, compile_wholly, unreadable, unseen
from threadloom.services.check.values import passed
from threadloom.services.device_table import find
from threadloom.services.diagnose import Facts, diagnose, in_order, verdict
from threadloom.services.memory import limit_bytes
from threadloom.worker.once import RequestFailedError, run_once
from threadloom.worker.outcome import Ending
from threadloom.worker.protocol import Context

DEVICE = "H200"
"""Device of the table whose limits a case is held against unless another is named."""
USUAL_BLOCK = (256, 1, 1)
"""Tried first where a case passes no block at all."""
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
    parsed, launch = parse(case.source), asked_launch(case)
    extents = tuple(refused_extents(case))
    refused = (*_refused_source(case, parsed, backend.device), *extents)
    named = replace(case, kernel=source_name(case, parsed))
    if parsed.kernel(named.kernel) is None:
        broken = _facts(case, backend, unreadable(named, parsed, backend.device))
        return _result(case, broken, _with_edits(case, backend, (*refused, *diagnose(broken))))
    try:
        subject = _subject(named, backend)
    except KernelLeftOutError as error:
        absent = left_out(case, error.diagnostics[0])
        return _result(case, _facts(case, backend), (*refused, absent))
    if isinstance(subject, Facts):
        return _result(case, subject, _with_edits(case, backend, (*refused, *diagnose(subject))))
    refused = _with_edits(case, backend, refused)
    refused = (*refused, *refused_arguments(case, subject.compiled.signature))
    if misplaced := tuple(misplaced_arguments(case, subject.compiled.signature)):
        return _result(case, subject.facts(launch or NOTHING), (*refused, *misplaced))
    if launch is None or extents:
        return _mended_extents(subject, launch, refused)
    before = diagnose(subject.facts(launch))
    if refused:  # no other launch mends that
        rest = (replace(finding, fixes=()) for finding in before)
        return _result(case, subject.facts(launch), (*refused, *rest))
    if any(finding.stops_launch for finding in before):
        found = with_remedies(subject, subject.facts(launch), before)
        return _result(case, subject.facts(launch), found)
    seen = observe(subject, launch)
    found = diagnose(seen.facts)
    if seen.facts.trace is None or not seen.facts.trace.endless:  # else a trial takes as long
        found = with_remedies(subject, seen.facts, found)
    return _result(case, seen.facts, found, seen)


def _refused_source(case: Case, parsed: ParsedSource, device: DeviceModel) -> Iterator[Finding]:
    """What can be said of source and options without compiling."""
    yield from refused_flags(case, device)
    yield from refused_headers(case, parsed)
    yield from refused_in_c(case, parsed)
    yield from refused_host_code(parsed)
    yield from refused_constexpr(case, parsed)
    yield from refused_name(case, parsed)


def _with_edits(
    case: Case, backend: EmulatorBackend, found: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """The findings without edits of the source that lead no further."""
    if not any(fix.edit for finding in found for fix in finding.fixes):
        return found
    before = _faults(case, backend)

    def helps(fix: Fix) -> bool:
        if fix.edit is None:
            return True
        edited = replace(case, source=apply_edit(case.source, fix.edit))
        return _faults(edited, backend) < before

    return tuple(replace(f, fixes=tuple(x for x in f.fixes if helps(x))) for f in found)


def _faults(case: Case, backend: EmulatorBackend) -> int:
    """How much keeps a source from being compiled and looked up."""
    parsed = parse(case.source)
    refused = tuple(_refused_source(case, parsed, backend.device))
    named = replace(case, kernel=source_name(case, parsed))
    if parsed.kernel(named.kernel) is None:
        error = unreadable(named, parsed, backend.device)
        return len(refused) + (len(error.diagnostics) if error else 0)
    try:
        subject = _subject(named, backend)
    except KernelLeftOutError:
        return len(refused) + 1
    failed = subject.diagnostics if isinstance(subject, Facts) else ()
    return len(refused) + len([d for d in failed if d.severity is Severity.ERROR])


def _facts(case: Case, backend: EmulatorBackend, error: CompileError | None = None) -> Facts:
    """What is known of a case that does not compile, or that has nothing to launch."""
    return Facts(
        backend.device,
        asked_launch(case) or NOTHING,
        source=case.source,
        diagnostics=error.diagnostics if error else (),
        compile_log=(error.log or str(error)) if error else "",
    )


def _subject(case: Case, backend: EmulatorBackend) -> Subject | Facts:
    """The compiled case; or what is known of one that does not compile.

    Raises:
        KernelLeftOutError: If the rest of the source compiles.
    """
    program = Program(case.source, case.kernel, options=case.flags)
    try:
        compiled = compile_wholly(backend, program)
    except KernelLeftOutError:
        raise
    except NotEmulatedError as error:
        return unseen(case, parse(case.source), backend.device, error)
    except CompileError as error:
        return _facts(case, backend, error)
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
        found = with_remedies(subject, subject.facts(NOTHING), found, near)
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
