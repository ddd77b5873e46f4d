# SPDX-License-Identifier: MIT
"""Compile, launch, check against NumPy, observe, time: one run, step by step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from threadloom.backends.base import BackendError, CompileError, LaunchError, Outputs
from threadloom.model.comparison import Comparison
from threadloom.model.finding import Finding
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Program, Severity
from threadloom.model.provenance import Engine
from threadloom.model.schedule import modelled_timeline
from threadloom.model.trace import Coverage, Trace
from threadloom.services.bind import Bound, bind, renamed
from threadloom.services.compare import compare
from threadloom.services.draft import Draft
from threadloom.services.engines import Engines
from threadloom.services.measure import Measurements, modelled
from threadloom.services.prepared import PreparedProblems, Problem
from threadloom.services.request import RunProgress, RunRequest, RunResult
from threadloom.services.resolve import Resolved, resolve
from threadloom.text import _, count
from threadloom.worker.protocol import Context

MOST_OBSERVED_BESIDE_GPU = 1 << 24
"""Threads up to which a run on a GPU is repeated in the emulator to see who touched what."""


class Runner:
    """Makes runs; keeps engines, inputs, references and baselines between them."""

    def __init__(self, engines: Engines, problems: PreparedProblems, clock: Measurements) -> None:
        self._engines = engines
        self._problems = problems
        self._clock = clock

    def run(self, request: RunRequest, context: Context) -> RunResult:
        """Go as far as the launch lets one; whatever stops it is among the findings.

        Raises:
            JobError: If the job means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        resolved = resolve(request.job)
        draft = Draft(resolved, self._engines.choose(request.job))
        if draft.is_refused:
            return draft.result()
        context.progress(RunProgress("compiling", draft.elapsed_s))
        if not compile_draft(draft, self._engines, context) or draft.is_refused:
            return draft.result()
        problem = self._problems.get(resolved)
        if not bind_problem(draft, problem):
            return draft.result()
        context.check()
        context.progress(RunProgress("running", draft.elapsed_s))
        outputs = self._launch(draft, request, context)
        if outputs is None:
            return draft.result()
        draft.outputs = renamed(outputs.arrays, draft.bound) if draft.bound else {}
        draft.comparisons = compare_outputs(draft, outputs, problem)
        self._observe_beside(draft, request, context)
        _model(draft)
        self._time(draft, problem, request, context)
        return draft.result()

    def _launch(self, draft: Draft, request: RunRequest, context: Context) -> Outputs | None:
        assert draft.compiled is not None and draft.bound is not None  # noqa: S101, PT018
        arguments = draft.bound.arguments
        launch = draft.resolved.launch
        try:
            if draft.engine is Engine.EMULATOR and request.observe:
                seen = draft.backend.trace(
                    draft.compiled, launch, arguments, request.block, _traced(draft)
                )
                draft.trace = _by_argument(seen.trace, draft.bound)
                return seen.outputs
            return draft.backend.run(draft.compiled, launch, arguments)
        except LaunchError as error:
            draft.failure = str(error)
            if error.context_lost:
                context.retire()
            return None

    def _observe_beside(self, draft: Draft, request: RunRequest, context: Context) -> None:
        """See in the emulator what a GPU does not show, if the launch is not too large for it."""
        if draft.engine is not Engine.GPU or not request.observe or draft.bound is None:
            return
        launch = draft.resolved.launch
        if launch.threads > MOST_OBSERVED_BESIDE_GPU:
            text = _("It has {threads} threads; up to {most} are observed beside a run on a GPU.")
            draft.notes = (
                _not_observed(
                    text.format(threads=count(launch.threads), most=count(MOST_OBSERVED_BESIDE_GPU))
                ),
            )
            return
        context.check()
        context.progress(RunProgress("observing", draft.elapsed_s))
        emulator = self._engines.emulator(draft.device)
        try:
            compiled = self._engines.compile(emulator, _program(draft.resolved), context)
            seen = emulator.trace(
                compiled, launch, draft.bound.arguments, request.block, _traced(draft)
            )
        except BackendError as error:
            draft.notes = (_not_observed(str(error)),)
            return
        draft.trace = _by_argument(seen.trace, draft.bound)

    def _time(self, draft: Draft, problem: Problem, request: RunRequest, context: Context) -> None:
        if not request.timings:
            return
        context.check()
        context.progress(RunProgress("timing", draft.elapsed_s))
        try:
            draft.timings = self._clock.of_run(draft, problem, request.rule, context)
        except LaunchError as error:
            draft.failure = str(error)
            if error.context_lost:
                context.retire()


def _not_observed(reason: str) -> Finding:
    """Why nobody can say who touched what."""
    return Finding(
        kind="not-observed",
        severity=Severity.NOTE,
        message=_("The emulator did not observe this launch"),
        detail=reason,
    )


def compile_draft(draft: Draft, engines: Engines, context: Context) -> bool:
    """Compile; False if the source does not."""
    try:
        compiled = engines.compile(draft.backend, _program(draft.resolved), context)
    except CompileError as error:
        draft.diagnostics = error.diagnostics
        draft.compile_log = error.log or str(error)
        return False
    draft.compiled = compiled
    draft.signature = compiled.signature
    draft.diagnostics = compiled.diagnostics
    draft.occupancy = occupancy(draft.device, draft.resolved.launch, compiled.resources)
    return True


def _program(resolved: Resolved) -> Program:
    return Program(resolved.source, _entry(resolved), filename=resolved.variant.file)


def _entry(resolved: Resolved) -> str:
    """Kernel to launch: of an edited source the variant's own, else the first one."""
    if resolved.entry is not None:
        return resolved.entry
    from threadloom.backends.source import parse

    names = [kernel.name for kernel in parse(resolved.source).kernels]
    own = resolved.variant.entry
    return own if own in names or not names else names[0]


def bind_problem(draft: Draft, problem: Problem) -> bool:
    """Give the compiled kernel its arguments; False if a parameter is left without."""
    assert draft.signature is not None  # noqa: S101
    draft.bound = bind(draft.signature, problem.values, draft.resolved.dtype)
    draft.inputs = problem.inputs
    return not draft.is_refused


def _traced(draft: Draft) -> tuple[str, ...]:
    """Parameters that hold the operation's outputs."""
    outputs = draft.resolved.operation.outputs
    names = draft.bound.argument_of if draft.bound else {}
    return tuple(parameter for parameter, name in names.items() if name in outputs)


def _by_argument(trace: Trace, bound: Bound) -> Trace:
    """The trace with its coverage under the operation's names."""
    coverage: dict[str, Coverage] = {}
    for parameter, seen in trace.coverage.items():
        name = bound.argument_of.get(parameter, parameter)
        coverage[name] = seen if name == seen.array else replace(seen, array=name)
    return replace(trace, coverage=coverage)


def compare_outputs(draft: Draft, outputs: Outputs, problem: Problem) -> tuple[Comparison, ...]:
    """Hold every output that the kernel was given against NumPy's."""
    resolved = draft.resolved
    tolerance = resolved.operation.tolerance(resolved.sizes, np.dtype(resolved.dtype))
    arrays = renamed(outputs.arrays, draft.bound) if draft.bound else {}
    return tuple(
        compare(name, arrays[name], problem.reference[name], tolerance)
        for name in resolved.operation.outputs
        if name in arrays
    )


def _model(draft: Draft) -> None:
    """Deal the blocks to the SMs of the device, for the animation."""
    times = modelled(draft.resolved, draft.device, draft.occupancy)
    if times is not None and draft.occupancy is not None:
        draft.timeline = modelled_timeline(
            draft.device, draft.resolved.launch, draft.occupancy, times.kernel_s
        )
