# SPDX-License-Identifier: MIT
"""Compile, launch, check against NumPy, observe, time: one run, step by step."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np

from threadloom.backends.base import (
    CompileError,
    LaunchError,
    Outputs,
    RecordsBlocks,
    TimesBreakdown,
)
from threadloom.model.comparison import Comparison
from threadloom.model.message import _, message_of
from threadloom.model.occupancy import occupancy
from threadloom.model.provenance import Engine
from threadloom.model.schedule import modeled_timeline
from threadloom.services.bench.measure import Measurements, counted_passes, modeled
from threadloom.services.messages.run import ResourcesRequest, RunAhead, RunRequest, RunResult
from threadloom.services.run.binding import bind, renamed
from threadloom.services.run.cached_inputs import PreparedProblems, Problem
from threadloom.services.run.compare import compare
from threadloom.services.run.device_compile import Assembly, better_worded
from threadloom.services.run.draft import Draft
from threadloom.services.run.engines import Engines
from threadloom.services.run.observation import Observation
from threadloom.services.run.program import program_of
from threadloom.services.run.resolve import JobError, resolve
from threadloom.worker.protocol import Context

MOST_WAIT_S = 120.0
"""For NVIDIA's compiler; what it has not said by then stays unknown."""

MOST_WARPS = 1 << 18
"""Warps up to which the times of each are kept, not only those of the blocks."""

WORDS_WAIT_S = 1.0
"""For what it says of a source that the emulator's compiler has refused."""


class Runner:
    """Makes runs; keeps engines, inputs, references and baselines between them."""

    def __init__(
        self,
        engines: Engines,
        problems: PreparedProblems,
        clock: Measurements,
        assembly: Assembly | None = None,
    ) -> None:
        self._engines = engines
        self._problems = problems
        self._clock = clock
        self._observation = Observation(engines)
        self._assembly = assembly or Assembly()
        self._unfinished: tuple[Draft, Problem, RunRequest] | None = None
        """The last run, if NVIDIA's compiler was still at work on its kernel."""

    def run(self, request: RunRequest, context: Context) -> RunResult:
        """Go as far as the launch lets one; whatever stops it is among the findings.

        Raises:
            JobError: If the job means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        self._unfinished = None
        resolved = resolve(request.job)
        draft = Draft(resolved, self._engines.choose(request.job))
        if draft.is_refused:
            if request.anyway and draft.engine is Engine.GPU:
                self._ask_the_driver(draft, request, context)
            return draft.result()
        context.progress(draft.progress("compiling"))
        if not compile_draft(draft, self._engines, context, self._assembly):
            return draft.result()
        take_resources(draft, 0.0, context)
        if draft.is_refused:
            return draft.result()
        problem = self._problems.get(resolved)
        if not bind_problem(draft, problem):
            return draft.result()
        context.check()
        context.progress(draft.progress("running"))
        outputs = self._launch(draft, request, context)
        if outputs is None:
            self._explain_failure(draft, request, context)
            take_resources(draft, request.nvcc_wait_s, context)
            return draft.result()
        if draft.trace is not None and draft.trace.endless:
            draft.assembling = None
            draft.trace = replace(draft.trace, coverage={})  # not what the kernel would write
            return draft.result()
        draft.outputs = renamed(outputs.arrays, draft.bound) if draft.bound else {}
        draft.comparisons = compare_outputs(draft, outputs, problem)
        if draft.engine is Engine.GPU and request.observe:
            self._observation.beside_gpu(draft, request.block, context)
        sent = self._send_ahead(draft, problem, request, context)
        take_resources(draft, self._patience_s(problem, request), context)
        if not draft.is_refused:
            _model(draft)
            self._time(draft, problem, request, context)
            if draft.assembling is not None:
                self._unfinished = (draft, problem, request)
        return _without_arrays(draft.result()) if sent else draft.result()

    def _ask_the_driver(self, draft: Draft, request: RunRequest, context: Context) -> None:
        """Launch what is known to be refused; what the driver says of it is a finding."""
        context.progress(draft.progress("compiling"))
        if compile_draft(draft, self._engines, context):
            bind_problem(draft, self._problems.get(draft.resolved))
            self._launch(draft, request, context)

    def complete(self, request: ResourcesRequest, context: Context) -> RunResult:
        """Wait for NVIDIA's compiler, and say what is new by it.

        Raises:
            JobError: If the last run was another job's, or lacks nothing.
        """
        if self._unfinished is None or self._unfinished[0].resolved.job != request.job:
            raise JobError(_("Nothing is left to be said of this run."))
        draft, problem, run = self._unfinished
        take_resources(draft, MOST_WAIT_S, context)
        self._unfinished = None
        if not draft.is_refused:
            _model(draft)
            if run.timings:
                draft.timings = self._clock.of_run(draft, problem, run.rule, context, run.baselines)
        return _without_arrays(draft.result())

    def _send_ahead(
        self, draft: Draft, problem: Problem, request: RunRequest, context: Context
    ) -> bool:
        """Show what is known if timing is still to come; whether that was done."""
        timed = draft.engine is Engine.EMULATOR and self._knows_host(problem, request)
        if not request.ahead or not request.timings or timed:
            return False
        _model(draft)
        context.progress(RunAhead(draft.result()))
        return True

    def _patience_s(self, problem: Problem, request: RunRequest) -> float:
        """A compiler at work would disturb what is timed on this CPU: that waits for it."""
        measures = request.timings and not self._knows_host(problem, request)
        return MOST_WAIT_S if measures else request.nvcc_wait_s

    def _knows_host(self, problem: Problem, request: RunRequest) -> bool:
        return self._clock.knows_host(problem, request.rule, request.baselines)

    def _launch(self, draft: Draft, request: RunRequest, context: Context) -> Outputs | None:
        assert draft.compiled is not None and draft.bound is not None  # noqa: S101, PT018
        arguments = draft.bound.arguments
        launch = draft.resolved.launch
        try:
            if draft.engine is Engine.EMULATOR and request.observe:
                return self._observation.of_launch(draft, request.block)
            return draft.backend.run(draft.compiled, launch, arguments)
        except LaunchError as error:
            draft.failure = message_of(error)
            if error.context_lost:
                context.retire()
            return None

    def _explain_failure(self, draft: Draft, request: RunRequest, context: Context) -> None:
        """A GPU says that a kernel failed, but not where; the emulator does."""
        if draft.engine is Engine.GPU and request.observe:
            self._observation.beside_gpu(draft, request.block, context)

    def _time(self, draft: Draft, problem: Problem, request: RunRequest, context: Context) -> None:
        if not (request.timings or request.blocks or request.breakdown):
            return
        context.check()
        context.progress(draft.progress("timing"))
        try:
            if request.timings:
                self._measure(draft, problem, request, context)
            elif request.blocks:
                _record_blocks(draft)
            if request.breakdown:
                _time_breakdown(draft, request)
        except LaunchError as error:
            draft.failure = message_of(error)
            if error.context_lost:
                context.retire()

    def _measure(
        self, draft: Draft, problem: Problem, request: RunRequest, context: Context
    ) -> None:
        draft.timings = self._clock.of_run(draft, problem, request.rule, context, request.baselines)
        _check_again(draft, problem)
        _record_blocks(draft)


def compile_draft(
    draft: Draft, engines: Engines, context: Context, assembly: Assembly | None = None
) -> bool:
    """Compile; False if the source does not.

    With ``assembly``, NVIDIA's compiler is set to work as well; a GPU's driver tells by itself.
    """
    if assembly is not None and draft.engine is Engine.EMULATOR:
        draft.assembling = assembly.begin(program_of(draft.resolved), draft.device)
    try:
        compiled = engines.compile(draft.backend, program_of(draft.resolved), context)
    except CompileError as refused:
        error = refused
        if draft.assembling is not None:
            error = better_worded(refused, draft.assembling.answer(WORDS_WAIT_S, context.check))
        draft.diagnostics = error.diagnostics
        draft.compile_log = error.log or message_of(error).english()
        draft.assembling = None
        return False
    draft.compiled = compiled
    draft.signature = compiled.signature
    draft.diagnostics = compiled.diagnostics
    draft.occupancy = occupancy(draft.device, draft.resolved.launch, compiled.resources)
    return True


def take_resources(draft: Draft, patience_s: float, context: Context) -> None:
    """Add what NVIDIA's compiler says, if it does in time; the kernel's clock stands meanwhile."""
    waits = patience_s > 0 and draft.assembling is not None and not draft.assembling.done
    if waits:
        context.progress(draft.progress("compiling"))
        context.allow(2 * MOST_WAIT_S)
    try:
        draft.take_resources(patience_s, context.check)
    finally:
        if waits:
            context.allow()


def bind_problem(draft: Draft, problem: Problem) -> bool:
    """Give the compiled kernel its arguments; False if a parameter is left without."""
    assert draft.signature is not None  # noqa: S101
    draft.bound = bind(draft.signature, problem.values, draft.resolved.dtype)
    draft.inputs = problem.inputs
    return not draft.is_refused


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


def _without_arrays(result: RunResult) -> RunResult:
    """The result without what has been sent already and takes long to send."""
    return replace(result, inputs={}, outputs={}, trace=None)


def _check_again(draft: Draft, problem: Problem) -> None:
    """Hold results from after the timing against NumPy's; if they are wrong, these are the ones."""
    if not draft.after_timing:
        return
    found = compare_outputs(draft, Outputs(draft.after_timing, 0.0), problem)
    if not all(comparison.matches for comparison in found):
        draft.comparisons = found


def _time_breakdown(draft: Draft, request: RunRequest) -> None:
    """Time every step of the way there and back, where the engine has one."""
    if not isinstance(draft.backend, TimesBreakdown):
        return
    assert draft.compiled is not None and draft.bound is not None  # noqa: S101, PT018
    draft.breakdown = draft.backend.breakdown(
        draft.compiled, draft.resolved.launch, draft.bound.arguments, request.rule
    )


def _record_blocks(draft: Draft) -> None:
    """See when and where each block runs, where the engine can; else the modeled way stays."""
    if not isinstance(draft.backend, RecordsBlocks):
        return
    assert draft.compiled is not None and draft.bound is not None  # noqa: S101, PT018
    with contextlib.suppress(CompileError):
        launch = draft.resolved.launch
        draft.timeline = draft.backend.timeline(
            draft.compiled,
            launch,
            draft.bound.arguments,
            warps=launch.blocks * launch.warps_per_block <= MOST_WARPS,
        )
        draft.timeline.count_ahead()


def _model(draft: Draft) -> None:
    """Deal the blocks to the SMs of the device, for the animation."""
    counted = counted_passes(draft.trace)
    times = modeled(draft.resolved, draft.device, draft.occupancy, counted)
    if times is not None and draft.occupancy is not None:
        draft.timeline = modeled_timeline(
            draft.device, draft.resolved.launch, draft.occupancy, times.kernel_s
        )
