# SPDX-License-Identifier: MIT
"""A compiled case, to be launched in one way or another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from threadloom.backends.base import Compiled, CompileError, NotEmulatedError, Observed
from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.nvcc import assemble, device_compiler
from threadloom.backends.source import ParsedSource
from threadloom.model.array import Value
from threadloom.model.device import DeviceModel
from threadloom.model.job import EngineChoice, Job
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.model.program import Diagnostic, Program
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation, Run, Target
from threadloom.model.severity import Severity
from threadloom.services.doctor import DiagnosticContext, Known
from threadloom.services.doctor.cases.case import Case, CaseArgument
from threadloom.services.doctor.cases.extents import NO_LAUNCH, asked_launch
from threadloom.services.doctor.cases.values import defined
from threadloom.services.run.device_compile import assembled, better_worded, with_resources


def compile_wholly(backend: EmulatorBackend, program: Program) -> Compiled:
    """Compile for the emulator, and with NVIDIA's compiler where it is here.

    Raises:
        CompileError: If either refuses.
        NotEmulatedError: If the emulator alone does.
    """
    compiler = device_compiler()
    if compiler is None:
        return backend.compile(program)
    answer = assembled(program, backend.device, compiler)
    try:
        compiled = backend.compile(program)
    except NotEmulatedError as refused:
        raise (CompileError(answer.errors) if answer.errors else refused) from None
    except CompileError as refused:
        raise better_worded(refused, answer) from refused
    if answer.errors:
        raise CompileError(answer.errors)
    return with_resources(compiled, answer)


def run_of(case: Case, device: DeviceModel, launch: Launch | None = None) -> Run:
    """The case as a run of which nothing is known yet: a job without an operation."""
    job = Job("", "", {}, engine=EngineChoice.EMULATOR, model=device.name, source=case.source)
    launch = launch or asked_launch(case) or NO_LAUNCH
    return Run(
        replace(job, entry=case.kernel), Target(launch, device, Engine.EMULATOR, case.source)
    )


def unseen(case: Case, parsed: ParsedSource, device: DeviceModel, why: CompileError) -> Run:
    """What is known of a kernel that the emulator cannot run: its launch can be looked at."""
    program, compiler = Program(case.source, case.kernel, options=case.flags), device_compiler()
    resources = assembled(program, device, compiler).resources if compiler else None
    notes = [replace(d, severity=Severity.NOTE) for d in why.diagnostics if not d.raw]
    text = _("The kernel was not run. Its launch was checked against the limits of the device.")
    compilation = Compilation(
        signature=parsed.kernel(case.kernel),
        resources=resources,
        diagnostics=(*notes, Diagnostic(Severity.NOTE, text)),
    )
    return replace(run_of(case, device), compilation=compilation)


def unreadable(case: Case, parsed: ParsedSource, device: DeviceModel) -> CompileError | None:
    """Why a kernel may not be seen: a source that no compiler can read; None if it can."""
    place = parsed.broken
    if place is None and (parsed.kernels or "__global__" not in case.source):
        return None
    program, compiler = Program(case.source, case.kernel, options=case.flags), device_compiler()
    errors = assemble(program, device, compiler).errors if compiler else ()
    found = errors or ((place,) if place is not None else ())
    return CompileError(found) if found else None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A compiled case, to be launched in one way or another."""

    case: Case
    backend: EmulatorBackend
    compiled: Compiled
    values: Mapping[str, Value]
    """What the caller passes, by the kernel's parameter names."""
    argument_of: Mapping[str, CaseArgument]
    """By parameter name."""

    def with_source(self, source: str) -> Subject:
        """The same with an edited text.

        Raises:
            CompileError: If it does not compile.
        """
        case = replace(self.case, source=source)
        program = replace(self.compiled.program, text=source)
        return replace(self, case=case, compiled=compile_wholly(self.backend, program))

    def trace(self, launch: Launch, given: Mapping[str, Value]) -> Observed:
        """Launch observed.

        Raises:
            LaunchError: If the launch cannot be made.
        """
        arrays = {
            name: argument
            for name, argument in self.argument_of.items()
            if argument.shape is not None
        }
        return self.backend.trace(
            self.compiled,
            launch,
            given,
            outputs=tuple(name for name, argument in arrays.items() if argument.access != "in"),
            undefined=tuple(name for name, argument in arrays.items() if not defined(argument)),
        )

    def context(self, launch: Launch) -> DiagnosticContext:
        """What is known before a launch."""
        compilation = Compilation(
            signature=self.compiled.signature,
            resources=self.compiled.resources,
            diagnostics=self.compiled.diagnostics,
        )
        run = run_of(self.case, self.backend.device, launch)
        return DiagnosticContext(
            replace(run, compilation=compilation), Known(arguments=self.values)
        )
