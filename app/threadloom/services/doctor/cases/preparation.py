# SPDX-License-Identifier: MIT
"""How far a case comes without its launch: from source and options to something to launch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from threadloom.backends.base import CompileError, KernelLeftOutError, NotEmulatedError
from threadloom.backends.source import ParsedSource, parse
from threadloom.model.apply_fix import apply_edit
from threadloom.model.case import Case
from threadloom.model.device import DeviceModel
from threadloom.model.finding import Finding, Fix
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.services.doctor.cases.case_problem import problem_of_case
from threadloom.services.doctor.cases.compiled_case import NO_ARGUMENTS, Stages, Subject
from threadloom.services.doctor.cases.lookup import left_out, refused_name, source_name
from threadloom.services.doctor.cases.nvcc_flags import refused_flags
from threadloom.services.doctor.cases.source_checks.c_linkage import refused_in_c
from threadloom.services.doctor.cases.source_checks.constexpr_calls import refused_constexpr
from threadloom.services.doctor.cases.source_checks.headers import refused_headers
from threadloom.services.doctor.cases.source_checks.host_calls import refused_host_code
from threadloom.services.run.compile import not_compiled
from threadloom.services.run.stages import with_arguments


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What there is to launch, or why there is nothing."""

    case: Case
    refused: tuple[Finding, ...]
    """What is wrong with source, options and name."""
    run: Run
    """What is known where nothing can be launched; errors of the compilers among it."""
    subject: Subject | None = None
    """None if there is nothing to launch."""

    @property
    def faults(self) -> int:
        """How much keeps the source from being compiled and its kernel from being found."""
        errors = [d for d in self.run.diagnostics if d.severity is Severity.ERROR]
        return len(self.refused) + len(errors)


def prepared_case(case: Case, stages: Stages) -> Prepared:
    """Read and compile a case."""
    parsed, device = parse(case.source), stages.device
    refused = tuple(_refused_source(case, parsed, device))
    named = replace(case, kernel=source_name(case, parsed))
    if parsed.kernel(named.kernel) is None:
        return Prepared(case, refused, _run(case, stages, stages.unreadable(named, parsed)))
    try:
        subject = _subject(named, stages)
    except KernelLeftOutError as error:
        absent = left_out(case, error.diagnostics[0])
        return Prepared(case, (*refused, absent), _run(case, stages))
    except NotEmulatedError as error:
        return Prepared(case, refused, stages.unseen(named, parsed, error))
    except CompileError as error:
        return Prepared(case, refused, _run(case, stages, error))
    return Prepared(case, refused, _run(case, stages), subject)


def with_working_edits(
    prepared: Prepared, stages: Stages, found: Iterable[Finding]
) -> tuple[Finding, ...]:
    """The findings without edits of the source that lead no further."""

    def helps(fix: Fix) -> bool:
        if fix.edit is None:
            return True
        source = apply_edit(prepared.case.source, fix.edit)
        edited = prepared_case(replace(prepared.case, source=source), stages)
        return edited.faults < prepared.faults

    return tuple(replace(f, fixes=tuple(fix for fix in f.fixes if helps(fix))) for f in found)


def _refused_source(case: Case, parsed: ParsedSource, device: DeviceModel) -> Iterator[Finding]:
    """What can be said of source and options without compiling."""
    yield from refused_flags(case, device)
    yield from refused_headers(case, parsed)
    yield from refused_in_c(case, parsed)
    yield from refused_host_code(parsed)
    yield from refused_constexpr(case, parsed)
    yield from refused_name(case, parsed)


def _run(case: Case, stages: Stages, error: CompileError | None = None) -> Run:
    begun = stages.begin(case)
    return (begun if error is None else not_compiled(begun, error)).run


def _subject(case: Case, stages: Stages) -> Subject:
    """The compiled case.

    Raises:
        CompileError: If it does not compile, or the emulator cannot run it.
    """
    kernel = stages.compile(case)
    signature = kernel.compiled.signature
    pairs = zip(signature.parameters, case.arguments, strict=False)
    argument_of = {parameter.name: argument for parameter, argument in pairs}
    problem = problem_of_case(case, signature, argument_of)
    return Subject(case, stages, with_arguments(kernel, problem, NO_ARGUMENTS), argument_of)
