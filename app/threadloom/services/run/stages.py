# SPDX-License-Identifier: MIT
"""How far a run has come, with what stays in this process: engine, kernel, arguments.

Each stage holds all that the next one needs; a stage gives a new one and changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from threadloom.backends.base import Backend, Compiled, CompileError
from threadloom.model.finding import Finding
from threadloom.model.message import Message, _
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Program
from threadloom.model.run import Compilation, Measurement, Observation, Run, Target
from threadloom.services.doctor import Known, diagnose
from threadloom.services.messages.run import RunProgress, Stage
from threadloom.services.run.binding import Bound, bind
from threadloom.services.run.cached_inputs import Problem
from threadloom.services.run.device_compile import Assembling, with_resources
from threadloom.services.run.program import program_of
from threadloom.services.run.resolve import JobError, Resolved


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Begun:
    """A job with the engine that is to run it."""

    program: Program
    backend: Backend
    run: Run
    asked: Resolved | None = None
    """What the job means; None for a kernel that is checked without an operation."""
    refusal: CompileError | None = None
    """Why the kernel is not compiled, if that was tried."""
    notes: tuple[Finding, ...] = ()
    """What the run itself has to say."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def known(self) -> Known:
        """What findings may be drawn from beside the run."""
        return Known(self.asked.operation if self.asked else None)

    @property
    def resolved(self) -> Resolved:
        """What the job means.

        Raises:
            JobError: If the kernel is checked without an operation.
        """
        if self.asked is None:
            raise JobError(_("This kernel belongs to no operation."))
        return self.asked

    @property
    def is_refused(self) -> bool:
        """Whether something is known that keeps the launch from taking place."""
        return self.result().is_refused

    def progress(self, stage: Stage) -> RunProgress:
        """What to send ahead when a stage begins."""
        return RunProgress(stage, self._elapsed_s, self.run.engine, self.run.device)

    @property
    def unbound(self) -> tuple[Finding, ...]:
        """Parameters without an argument."""
        return ()

    def result(self) -> Run:
        """All that is known, with what there is to say of it."""
        findings = (*self.unbound, *diagnose(self.run, self.known), *self.notes)
        return replace(self.run, findings=findings, elapsed_s=self._elapsed_s)

    @property
    def _elapsed_s(self) -> float:
        return time.perf_counter() - self.began


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Built(Begun):
    """The kernel is compiled."""

    compiled: Compiled
    device_compile: Assembling | None = None
    """NVIDIA's compiler at work on the kernel; None if it is not asked, or has answered."""

    def result(self) -> Run:
        """All that is known; the launched kernel's resources may be pending."""
        run = Begun.result(self)
        if run.compilation is None or self.device_compile is None or not run.launched:
            return run
        return replace(run, compilation=replace(run.compilation, pending=True))

    def with_device_compile(self, patience_s: float, check: Callable[[], None]) -> Self:
        """Add what NVIDIA's compiler says, if it says it in time.

        What it refuses, no device would run: nothing then remains of an emulated run.
        """
        answer = None
        if self.device_compile is not None:
            answer = self.device_compile.answer(patience_s, check)
        if answer is None:
            return self
        compiled = with_resources(self.compiled, answer)
        compiled = replace(compiled, diagnostics=(*compiled.diagnostics, *answer.errors))
        run = replace(self.run, compilation=compilation_of(compiled, self.run.target))
        stage = replace(self, compiled=compiled, device_compile=None, run=run)
        if not stage.is_refused:
            return stage
        return replace(stage, run=replace(run, observation=None, measurement=None))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ready(Built):
    """The kernel has its arguments; launched or not."""

    bound: Bound
    problem: Problem

    @property
    def known(self) -> Known:
        """What findings may be drawn from beside the run."""
        return Known(self.asked.operation if self.asked else None, arguments=self.bound.arguments)

    @property
    def unbound(self) -> tuple[Finding, ...]:
        """Parameters without an argument."""
        return self.bound.findings

    @property
    def observation(self) -> Observation:
        """What is seen so far."""
        return self.run.observation or Observation(inputs=self.problem.inputs)

    @property
    def measurement(self) -> Measurement:
        """What is timed so far."""
        return self.run.measurement or Measurement()

    def seen(self, observation: Observation) -> Ready:
        """The same with another observation."""
        return replace(self, run=replace(self.run, observation=observation))

    def timed(self, measurement: Measurement) -> Ready:
        """The same with another measurement."""
        return replace(self, run=replace(self.run, measurement=measurement))

    def failed(self, failure: Message) -> Ready:
        """The same after the engine refused the launch, or the kernel failed."""
        return replace(self, run=replace(self.run, failure=failure))


def begin(resolved: Resolved, backend: Backend) -> Begun:
    """A run of which only job and engine are known."""
    job = replace(resolved.job, sizes=dict(resolved.sizes), variant=resolved.variant.name)
    target = Target(resolved.launch, backend.device, backend.engine, resolved.source)
    run = Run(job, target)
    return Begun(program=program_of(resolved), backend=backend, run=run, asked=resolved)


def built(begun: Begun, compiled: Compiled, device_compile: Assembling | None) -> Built:
    """The run with its kernel."""
    return Built(
        program=begun.program,
        asked=begun.asked,
        backend=begun.backend,
        run=replace(begun.run, compilation=compilation_of(compiled, begun.run.target)),
        notes=begun.notes,
        began=begun.began,
        compiled=compiled,
        device_compile=device_compile,
    )


def bind_problem(stage: Built, problem: Problem) -> Ready:
    """Give the compiled kernel its arguments; refused if a parameter is left without."""
    bound = bind(stage.compiled.signature, problem.values, stage.resolved.dtype)
    return with_arguments(stage, problem, bound)


def with_arguments(stage: Built, problem: Problem, bound: Bound) -> Ready:
    """The compiled kernel with its arguments."""
    return Ready(
        program=stage.program,
        asked=stage.asked,
        backend=stage.backend,
        run=replace(stage.run, observation=Observation(inputs=problem.inputs)),
        notes=stage.notes,
        began=stage.began,
        compiled=stage.compiled,
        device_compile=stage.device_compile,
        bound=bound,
        problem=problem,
    )


def compilation_of(compiled: Compiled, target: Target) -> Compilation:
    """What is recorded of a compiled kernel."""
    return Compilation(
        signature=compiled.signature,
        resources=compiled.resources,
        occupancy=occupancy(target.device, target.launch, compiled.resources),
        diagnostics=compiled.diagnostics,
        compile_s=compiled.compile_s,
        from_cache=compiled.from_cache,
    )
