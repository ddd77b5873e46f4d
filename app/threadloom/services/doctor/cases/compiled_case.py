# SPDX-License-Identifier: MIT
"""A case in the stages of a run: its job, its compiled kernel, its launches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from threadloom.backends.base import CompileError, NotEmulatedError, Observed, Outputs
from threadloom.backends.nvcc import Assembled, assemble
from threadloom.backends.source import ParsedSource
from threadloom.model.array import Value
from threadloom.model.case import Case, CaseArgument
from threadloom.model.device import DeviceModel
from threadloom.model.job import EngineChoice, Job
from threadloom.model.launch import Launch
from threadloom.model.message import _
from threadloom.model.program import Diagnostic, Program
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation, Run, Target
from threadloom.model.severity import Severity
from threadloom.model.trace import Trace
from threadloom.services.doctor import DiagnosticContext, Known
from threadloom.services.doctor.cases.extents import NO_LAUNCH, asked_launch
from threadloom.services.doctor.cases.values import delivered
from threadloom.services.run.binding import Bound
from threadloom.services.run.compile import MOST_WAIT_S, compile_kernel, take_resources
from threadloom.services.run.device_compile import Assembly
from threadloom.services.run.engines import Engines
from threadloom.services.run.observation import Observer
from threadloom.services.run.stages import Begun, Built, Ready, with_arguments
from threadloom.worker.protocol import Context

NO_ARGUMENTS = Bound({}, {})
"""Until the launch: what is passed may not be what the kernel takes."""


def as_named(given: Mapping[str, Value]) -> Bound:
    """Arguments under the names of the kernel's parameters, which findings speak of."""
    return Bound(given, {name: name for name in given})


def run_of(case: Case, device: DeviceModel, launch: Launch | None = None) -> Run:
    """The case as a run of which nothing is known yet: a job without an operation."""
    job = Job("", "", {}, engine=EngineChoice.EMULATOR, model=device.name, source=case.source)
    launch = launch or asked_launch(case) or NO_LAUNCH
    return Run(
        replace(job, entry=case.kernel), Target(launch, device, Engine.EMULATOR, case.source)
    )


def program_of_case(case: Case) -> Program:
    """Source, kernel and options of a case."""
    return Program(case.source, case.kernel, options=case.flags)


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """Takes cases through the stages of a run."""

    engines: Engines
    assembly: Assembly
    device: DeviceModel
    context: Context

    def begin(self, case: Case) -> Begun:
        """A case of which only job and engine are known."""
        run, backend = run_of(case, self.device), self.engines.emulator(self.device)
        return Begun(program=program_of_case(case), backend=backend, run=run)

    def compile(self, case: Case) -> Built:
        """Compile for the emulator, and with NVIDIA's compiler where it is here.

        Raises:
            CompileError: If either refuses.
            NotEmulatedError: If the emulator alone does.
        """
        begun = self.begin(case)
        kernel = compile_kernel(
            begun, self.engines, self.context, self.assembly, words_wait_s=MOST_WAIT_S
        )
        if not isinstance(kernel, Built):
            refused = kernel.refusal or CompileError(kernel.run.diagnostics)
            if isinstance(refused, NotEmulatedError) and (errors := self.assembled(begun).errors):
                raise CompileError(errors)
            raise refused
        before = kernel.compiled.diagnostics
        kernel = take_resources(kernel, MOST_WAIT_S, self.context)
        if errors := kernel.compiled.diagnostics[len(before) :]:
            raise CompileError(errors)
        return kernel

    def assembled(self, begun: Begun) -> Assembled:
        """What NVIDIA's compiler says; nothing without one, or if it takes too long."""
        at_work = self.assembly.begin(begun.program, self.device)
        answer = at_work.answer(MOST_WAIT_S, self.context.check) if at_work else None
        return answer or Assembled()

    def unseen(self, case: Case, parsed: ParsedSource, why: CompileError) -> Run:
        """What is known of a kernel that the emulator cannot run: its launch can be looked at."""
        begun = self.begin(case)
        told = [replace(d, severity=Severity.NOTE) for d in why.diagnostics if not d.raw]
        text = _("The kernel was not run. Its launch was checked against the limits of the device.")
        compilation = Compilation(
            signature=parsed.kernel(case.kernel),
            resources=self.assembled(begun).resources,
            diagnostics=(*told, Diagnostic(Severity.NOTE, text)),
        )
        return replace(begun.run, compilation=compilation)

    def unreadable(self, case: Case, parsed: ParsedSource) -> CompileError | None:
        """Why a kernel may not be seen: a source that no compiler can read; None if it can."""
        place = parsed.broken
        if place is None and (parsed.kernels or "__global__" not in case.source):
            return None
        compiler = self.assembly.compiler
        errors = assemble(program_of_case(case), self.device, compiler).errors if compiler else ()
        found = errors or ((place,) if place is not None else ())
        return CompileError(found) if found else None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A compiled case, to be launched in one way or another."""

    case: Case
    stages: Stages
    stage: Ready
    """The compiled kernel, not launched."""
    argument_of: Mapping[str, CaseArgument]
    """By parameter name."""

    @property
    def values(self) -> Mapping[str, Value]:
        """What the caller passes, by the kernel's parameter names."""
        return self.stage.problem.values

    @property
    def device(self) -> DeviceModel:
        """What launches are held against."""
        return self.stages.device

    def with_source(self, source: str) -> Subject:
        """The same with an edited text.

        Raises:
            CompileError: If it does not compile.
        """
        case = replace(self.case, source=source)
        kernel = self.stages.compile(case)
        return replace(
            self, case=case, stage=with_arguments(kernel, self.stage.problem, NO_ARGUMENTS)
        )

    def at(self, launch: Launch) -> Ready:
        """The kernel at a launch: nothing is asked of its speed, so nothing of its occupancy."""
        run, compilation = self.stage.run, self.stage.run.compilation
        if compilation is not None:
            compilation = replace(compilation, occupancy=None)
        target = replace(run.target, launch=launch)
        return replace(self.stage, run=replace(run, target=target, compilation=compilation))

    def launched(self, launch: Launch) -> tuple[Ready, Outputs]:
        """Launch observed.

        Raises:
            LaunchError: If the launch cannot be made.
        """
        given = delivered(self.stage.compiled.signature, self.values)
        stage = replace(self.at(launch), bound=as_named(given))
        return Observer(self.stages.engines).of_launch(stage, None)

    def trace(self, launch: Launch, given: Mapping[str, Value]) -> Observed:
        """Launch observed, with other arguments.

        Raises:
            LaunchError: If the launch cannot be made.
        """
        stage = replace(self.at(launch), bound=as_named(given))
        observer = Observer(self.stages.engines)
        stage, outputs = observer.watch(stage, stage.compiled)
        return Observed(outputs, stage.run.trace or Trace({}))

    def context(self, launch: Launch) -> DiagnosticContext:
        """What is known before a launch."""
        return self.context_of(self.at(launch))

    def context_of(self, stage: Ready) -> DiagnosticContext:
        """What is known of a stage."""
        return DiagnosticContext(stage.run, Known(arguments=self.values))
