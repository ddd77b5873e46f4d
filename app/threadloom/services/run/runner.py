# SPDX-License-Identifier: MIT
"""Compile, launch, check against NumPy, observe, time: one run, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from threadloom.backends.base import (
    CompileError,
    LaunchError,
    Outputs,
    RecordsBlocks,
    TimesBreakdown,
)
from threadloom.model.array import Array
from threadloom.model.message import _, message_of
from threadloom.model.provenance import Engine
from threadloom.model.run import Run
from threadloom.model.schedule import modeled_timeline
from threadloom.services.bench.measure import Measurements, counted_wavefronts, modeled
from threadloom.services.messages.run import ResourcesRequest, RunRequest, Stage
from threadloom.services.run.cached_inputs import PreparedProblems, Problem
from threadloom.services.run.compare import compare_outputs, compared
from threadloom.services.run.compile import MOST_WAIT_S, compile_kernel, take_resources
from threadloom.services.run.device_compile import Assembly
from threadloom.services.run.engines import Engines
from threadloom.services.run.observation import Observer
from threadloom.services.run.resolve import JobError, resolve
from threadloom.services.run.stages import Begun, Built, Ready, begin, bind_problem
from threadloom.worker.protocol import Context

MOST_WARPS = 1 << 18
"""Warps up to which the times of each are kept, not only those of the blocks."""


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
        self._observer = Observer(engines)
        self._assembly = assembly or Assembly()
        self._unfinished: tuple[Ready, RunRequest] | None = None
        """The last run, if NVIDIA's compiler was still at work on its kernel."""

    def run(self, request: RunRequest, context: Context) -> Run:
        """Go as far as the launch lets one; whatever stops it is among the findings.

        Raises:
            JobError: If the job means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        self._unfinished = None
        begun = begin(resolve(request.job), self._engines.choose(request.job))
        if begun.is_refused:
            if request.anyway and begun.run.engine is Engine.GPU:
                begun = self._asked_of_driver(begun, request, context)
            return begun.result()
        context.progress(begun.progress(Stage.COMPILING))
        kernel = compile_kernel(begun, self._engines, context, self._assembly)
        if not isinstance(kernel, Built):
            return kernel.result()
        kernel = take_resources(kernel, 0.0, context)
        if kernel.is_refused:
            return kernel.result()
        ready = bind_problem(kernel, self._problems.get(begun.resolved))
        if ready.is_refused:
            return ready.result()
        return self._of_launch(ready, request, context)

    def complete(self, request: ResourcesRequest, context: Context) -> Run:
        """Wait for NVIDIA's compiler, and say what is new by it.

        Raises:
            JobError: If the last run was another job's, or lacks nothing.
        """
        if self._unfinished is None or self._unfinished[0].resolved.job != request.job:
            raise JobError(_("No compiler result is pending for this run."))
        stage, run = self._unfinished
        stage = take_resources(stage, MOST_WAIT_S, context)
        self._unfinished = None
        if not stage.is_refused:
            stage = _modeled(stage)
            if run.timings:
                stage, _after = self._clock.of_run(stage, run.rule, context, run.baselines)
        return _without_observation(stage.result())

    def _asked_of_driver(self, begun: Begun, request: RunRequest, context: Context) -> Begun:
        """Launch what is known to be refused; what the driver says of it is a finding."""
        context.progress(begun.progress(Stage.COMPILING))
        kernel = compile_kernel(begun, self._engines, context)
        if not isinstance(kernel, Built):
            return kernel
        ready = bind_problem(kernel, self._problems.get(begun.resolved))
        return self._launch(ready, request, context)[0]

    def _of_launch(self, ready: Ready, request: RunRequest, context: Context) -> Run:
        """Launch, compare, observe and time what nothing is known against."""
        context.check()
        context.progress(ready.progress(Stage.RUNNING))
        stage, outputs = self._launch(ready, request, context)
        if outputs is None:
            stage = self._explained(stage, request, context)
            return take_resources(stage, request.nvcc_wait_s, context).result()
        if stage.run.trace is not None and stage.run.trace.endless:
            return replace(stage, device_compile=None).result()
        stage = compared(stage, outputs)
        if stage.run.engine is Engine.GPU and request.observe:
            stage = self._observer.beside_gpu(stage, request.block, context)
        sent = self._sent_ahead(stage, request, context)
        stage = take_resources(stage, self._patience_s(stage.problem, request), context)
        if not stage.is_refused:
            stage = self._timed(_modeled(stage), request, context)
            if stage.device_compile is not None:
                self._unfinished = (stage, request)
        run = stage.result()
        known = sent is not None and run.comparisons == sent.comparisons
        return _without_observation(run) if known else run

    def _sent_ahead(self, stage: Ready, request: RunRequest, context: Context) -> Run | None:
        """What is known is shown if timing is still to come; what was sent, if it was."""
        known = self._knows_host(stage.problem, request)
        timed = stage.run.engine is Engine.EMULATOR and known
        if not request.ahead or not request.timings or timed:
            return None
        run = _modeled(stage).result()
        context.progress(run)
        return run

    def _patience_s(self, problem: Problem, request: RunRequest) -> float:
        """A compiler at work would disturb what is timed on this CPU: that waits for it."""
        measures = request.timings and not self._knows_host(problem, request)
        return MOST_WAIT_S if measures else request.nvcc_wait_s

    def _knows_host(self, problem: Problem, request: RunRequest) -> bool:
        return self._clock.knows_host(problem, request.rule, request.baselines)

    def _launch(
        self, stage: Ready, request: RunRequest, context: Context
    ) -> tuple[Ready, Outputs | None]:
        """Launch once, observed if that is asked of the emulator; no outputs if it fails."""
        try:
            if stage.run.engine is Engine.EMULATOR and request.observe:
                return self._observer.of_launch(stage, request.block)
            launch, arguments = stage.run.launch, stage.bound.arguments
            return stage, stage.backend.run(stage.compiled, launch, arguments)
        except LaunchError as error:
            if error.context_lost:
                context.recycle()
            return stage.failed(message_of(error)), None

    def _explained(self, stage: Ready, request: RunRequest, context: Context) -> Ready:
        """A GPU says that a kernel failed, but not where; the emulator does."""
        if stage.run.engine is Engine.GPU and request.observe:
            return self._observer.beside_gpu(stage, request.block, context)
        return stage

    def _timed(self, stage: Ready, request: RunRequest, context: Context) -> Ready:
        """The times that are asked for, as far as the kernel lets one take them."""
        if not (request.timings or request.blocks or request.breakdown):
            return stage
        context.check()
        context.progress(stage.progress(Stage.TIMING))
        try:
            if request.timings:
                stage, after = self._clock.of_run(stage, request.rule, context, request.baselines)
                stage = _compared_again(stage, after)
            if request.timings or request.blocks:
                stage = _with_blocks(stage)
            return _with_breakdown(stage, request) if request.breakdown else stage
        except LaunchError as error:
            if error.context_lost:
                context.recycle()
            return stage.failed(message_of(error))


def _without_observation(run: Run) -> Run:
    """The run without what has been sent already and takes long to send."""
    return run if run.is_refused else replace(run, observation=None)


def _compared_again(stage: Ready, after_timing: Mapping[str, Array]) -> Ready:
    """Compare results from after the timing with NumPy's; if they are wrong, these are the ones."""
    if not after_timing:
        return stage
    found = compare_outputs(stage, Outputs(after_timing, 0.0))
    if all(comparison.matches for comparison in found):
        return stage
    return stage.seen(replace(stage.observation, comparisons=found))


def _with_breakdown(stage: Ready, request: RunRequest) -> Ready:
    """Time every step from the host's memory and back, where the engine has one of its own."""
    if not isinstance(stage.backend, TimesBreakdown):
        return stage
    launch, arguments = stage.run.launch, stage.bound.arguments
    breakdown = stage.backend.breakdown(stage.compiled, launch, arguments, request.rule)
    return stage.timed(replace(stage.measurement, breakdown=breakdown))


def _with_blocks(stage: Ready) -> Ready:
    """See when and where each block runs, where the engine can; else the modeled times stay."""
    if not isinstance(stage.backend, RecordsBlocks):
        return stage
    launch, arguments = stage.run.launch, stage.bound.arguments
    warps = launch.blocks * launch.warps_per_block <= MOST_WARPS
    try:
        timeline = stage.backend.timeline(stage.compiled, launch, arguments, warps=warps)
    except CompileError:
        return stage
    timeline.count_ahead()
    return stage.timed(replace(stage.measurement, timeline=timeline))


def _modeled(stage: Ready) -> Ready:
    """Assign the blocks to the SMs of the device, for the animation."""
    run, held = stage.run, stage.run.occupancy
    times = modeled(stage.resolved, run.device, held, counted_wavefronts(run.trace))
    if times is None or held is None:
        return stage
    timeline = modeled_timeline(run.device, run.launch, held, times.kernel_s)
    return stage.timed(replace(stage.measurement, timeline=timeline))
