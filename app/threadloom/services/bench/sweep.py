# SPDX-License-Identifier: MIT
"""Time a job over sizes: baselines on this CPU, and the kernel on a GPU or modeled for one."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from threadloom.backends.base import LaunchError, TimesLaunches
from threadloom.model.job import Job
from threadloom.model.message import NOTHING, Message, _, decimal_bytes, literal, message_of
from threadloom.model.operation import Operation
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import Samples, Series, SeriesKey
from threadloom.model.wavefronts import count_wavefronts
from threadloom.services.bench.break_even import break_even
from threadloom.services.bench.curve import Curve
from threadloom.services.bench.curves import device_curves, framework_curve, host_curves
from threadloom.services.bench.environment import environment, usable_threads
from threadloom.services.bench.framework_baseline import framework_times
from threadloom.services.bench.measure import (
    baselines,
    interleaved,
    loop_seconds,
    modeled,
    total_samples,
)
from threadloom.services.bench.sweep_text import axis_text, launch_text
from threadloom.services.devices.memory import available_bytes, needed_bytes
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.services.run.cached_inputs import Problem, make_problem
from threadloom.services.run.compare import compare_outputs
from threadloom.services.run.compile import MOST_WAIT_S, compile_kernel, take_resources
from threadloom.services.run.device_compile import Assembly
from threadloom.services.run.engines import Engines
from threadloom.services.run.resolve import (
    JobError,
    Resolved,
    bare_size,
    find_operation,
    resolve,
)
from threadloom.services.run.stages import Begun, Built, Ready, begin, bind_problem
from threadloom.worker.protocol import Cancelled, Context

MOST_CHECKED_FLOPS = 3e8
"""Work up to which a size is run in the emulator to check the kernel's output."""
MOST_TRACED_WORK = 1e7
"""Work up to which it is observed as well, for the passes that the model of its time counts."""
_WORST_LOAD = 0.8
"""Share of the free memory that one size may take."""


class Sweeper:
    """Makes sweeps."""

    def __init__(self, engines: Engines, assembly: Assembly | None = None) -> None:
        self._engines = engines
        self._assembly = assembly or Assembly()

    def run(self, request: SweepRequest, context: Context) -> SweepResult:
        """Measure size after size; on a wish to stop, give what there is so far.

        Raises:
            JobError: If the job means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        sweep = _Sweep(request, self._engines, self._assembly, context)
        for place, size in enumerate(request.sizes):
            if context.cancelled:
                return sweep.result(complete=False)
            try:
                sweep.measure(size)
            except Cancelled:
                return sweep.result(complete=False)
            context.progress(sweep.progress(place + 1))
        return sweep.result(complete=True)


class _Sweep:
    """One sweep on its way."""

    def __init__(
        self, request: SweepRequest, engines: Engines, assembly: Assembly, context: Context
    ) -> None:
        self._request = request
        self._context = context
        self._engines = engines
        self._assembly = assembly
        self._operation = find_operation(request.job.operation, request.job.operations_folder)
        self._backend = engines.choose(request.job)
        device = self._backend.device
        self._environment = environment(device, request.job.seed, engines.conditions(device))
        self._matches: list[bool] = []
        self._rate_of_work: float | None = None
        """Passes through the SMs' L1 caches for a unit of work, as last counted."""
        self._began = time.perf_counter()
        measured = self._backend.engine is Engine.GPU
        provenance = Provenance.MEASURED if measured else Provenance.MODELED
        self._host = host_curves(request, self._operation)
        self._frameworks: dict[Message, Curve] = {}
        self._device = device_curves(request, device.name, provenance)

    # What is asked of it ------------------------------------------------------------------------

    def measure(self, size: int) -> None:
        """Add a point to every curve, or the reason why there is none."""
        if self._take_over(size):
            return
        try:
            resolved = resolve(self._job(size))
        except JobError as error:
            self._skip_all(size, message_of(error))
            return
        if reason := _too_large(resolved):
            self._skip_all(size, reason)
            return
        work = _work(resolved)
        problem = make_problem(resolved)
        self._measure_host(size, resolved, problem, work)
        self._context.check()
        self._measure_kernel(size, resolved, problem, work)

    def _take_over(self, size: int) -> bool:
        """Take the points of an earlier sweep, if it has them all; what it skipped is skipped."""
        known = {
            (series.key, series.label.english()): point
            for series in self._request.done
            for point in series.points
            if point.size == size
        }
        curves = (*self._host, *self._device)
        if not all((curve.key, curve.label.english()) in known for curve in curves):
            return False
        work = _work_of(self._operation, self._job(size))
        for curve in curves:
            curve.take(known[curve.key, curve.label.english()], work)
        for (key, label), point in known.items():
            if key is SeriesKey.FRAMEWORK and SeriesKey.FRAMEWORK in self._request.baselines:
                self._framework(literal(label)).take(point, work)
        return True

    def progress(self, done: int) -> SweepProgress:
        """The curves so far."""
        total = len(self._request.sizes)
        so_far = self.result(complete=False)
        return SweepProgress(so_far.series, done, total, self._left(done), so_far)

    def result(self, *, complete: bool) -> SweepResult:
        """The curves with what is needed to repeat them."""
        series = self._series()
        return SweepResult(
            job=self._request.job,
            launch_text=launch_text(self._request, self._operation),
            axis=axis_text(self._operation),
            series=series,
            break_even=break_even(series),
            environment=self._environment,
            all_match=all(self._matches) if self._matches else None,
            complete=complete,
        )

    # Steps --------------------------------------------------------------------------------------

    def _measure_host(self, size: int, resolved: Resolved, problem: Problem, work: float) -> None:
        alone = loop_seconds(resolved)
        guesses = {
            SeriesKey.C_LOOP: alone,
            SeriesKey.C_LOOP_THREADS: alone / usable_threads(),
        }
        for curve in self._host:
            curve.stop_if_slow(work, self._request.skip_above_s, guesses.get(curve.key, 0.0))
        going = {curve.key: curve for curve in self._host if not curve.stopped}
        chosen = baselines(resolved, problem, going) if going else []
        try:
            samples = interleaved(chosen, self._request.rule, self._context)
        finally:
            for baseline in chosen:
                baseline.close()
        for curve in self._host:
            if curve.key in samples:
                curve.add(size, samples[curve.key], work)
            else:
                curve.skip(size, curve.stopped)

    def _measure_kernel(self, size: int, resolved: Resolved, problem: Problem, work: float) -> None:
        stage = self._prepared(begin(resolved, self._backend), problem)
        reason = NOTHING if isinstance(stage, Ready) and not stage.is_refused else _why_not(stage)
        if not reason:
            for curve in self._device:
                curve.stop_if_slow(work, self._request.skip_above_s)
        samples: dict[SeriesKey, Samples] = {}
        try:
            if isinstance(stage, Ready) and not reason:
                samples = self._kernel_samples(stage)
        except LaunchError as error:
            self._context.recycle()
            reason = message_of(error)
        for curve in self._device:
            if curve.key in samples:
                curve.add(size, samples[curve.key], work)
            else:
                curve.skip(size, reason or curve.stopped)
        if samples and SeriesKey.FRAMEWORK in self._request.baselines:
            rule = self._request.rule
            for found in framework_times(self._backend, resolved, problem, rule):
                self._framework(found.label).add(size, found.warm, work)

    def _framework(self, label: Message) -> Curve:
        fresh = framework_curve(label, self._backend.device.name)
        return self._frameworks.setdefault(label, fresh)

    def _prepared(self, begun: Begun, problem: Problem) -> Begun:
        """Compile, for a device as well where that can be told, and bind, as far as that goes."""
        if begun.is_refused:
            return begun
        kernel = compile_kernel(begun, self._engines, self._context, self._assembly)
        if not isinstance(kernel, Built):
            return kernel
        kernel = take_resources(kernel, MOST_WAIT_S, self._context)
        return kernel if kernel.is_refused else bind_problem(kernel, problem)

    def _kernel_samples(self, stage: Ready) -> dict[SeriesKey, Samples]:
        if all(curve.stopped for curve in self._device):
            return {}
        if stage.run.engine is not Engine.GPU:
            self._observe(stage)
            work = _work(stage.resolved)
            return _modeled_samples(
                stage, self._rate_of_work * work if self._rate_of_work else None
            )
        launch, arguments, rule = stage.run.launch, stage.bound.arguments, self._request.rule
        if self._request.kernel_only and isinstance(self._backend, TimesLaunches):
            (kernel,) = self._backend.launches(stage.compiled, [launch], arguments, rule)
            self._check(stage)
            return {SeriesKey.KERNEL: kernel}
        times = self._backend.time(stage.compiled, launch, arguments, rule)
        self._check(stage)
        return {SeriesKey.KERNEL: times.kernel, SeriesKey.TOTAL: total_samples(times)}

    def _observe(self, stage: Ready) -> None:
        """Run a small problem in the emulator; counts of it tell those of larger ones."""
        if _work(stage.resolved) > MOST_TRACED_WORK:
            if _cheap(stage.resolved):
                self._check(stage)
            return
        seen = self._backend.trace(stage.compiled, stage.run.launch, stage.bound.arguments)
        found = compare_outputs(stage, seen.outputs)
        self._matches += [comparison.matches for comparison in found]
        self._rate_of_work = count_wavefronts(seen.trace.sites) / _work(stage.resolved)

    def _check(self, stage: Ready) -> None:
        """Run once and compare the output with NumPy's."""
        outputs = self._backend.run(stage.compiled, stage.run.launch, stage.bound.arguments)
        found = compare_outputs(stage, outputs)
        self._matches += [comparison.matches for comparison in found]

    # Parts --------------------------------------------------------------------------------------

    def _job(self, size: int) -> Job:
        """The job at one size; the grid follows unless it is chosen."""
        job = self._request.job
        return replace(job, sizes={**job.sizes, **bare_size(self._operation, size)})

    def _skip_all(self, size: int, reason: Message) -> None:
        for curve in (*self._host, *self._device):
            curve.skip(size, reason)

    def _series(self) -> tuple[Series, ...]:
        curves = (*self._host, *self._device, *self._frameworks.values())
        return tuple(curve.series() for curve in curves)

    def _left(self, done: int) -> float | None:
        """What is left if each size takes its baselines' time limits, or their runs if longer."""
        left = [self._expected(size) for size in self._request.sizes[done:]]
        spent = [self._expected(size) for size in self._request.sizes[:done]]
        if not sum(spent):
            return None
        return sum(left) * (time.perf_counter() - self._began) / sum(spent)

    def _expected(self, size: int) -> float:
        total = 0.0
        for curve in self._host:
            run = curve.seconds(_work_of(self._operation, self._job(size))) or 0.0
            if run <= self._request.skip_above_s:
                total += self._request.rule.time_limit_s + 2 * run
        return total


def _too_large(resolved: Resolved) -> Message:
    """Why a problem does not fit the free memory; empty if it does."""
    needed, free = needed_bytes(resolved), available_bytes()
    if free is None or needed <= _WORST_LOAD * free:
        return NOTHING
    return _("Out of memory: {needed} needed, {free} available.").format(
        needed=decimal_bytes(needed), free=decimal_bytes(free)
    )


def _why_not(stage: Begun) -> Message:
    """Why the launch cannot take place."""
    errors = (f.message for f in stage.result().findings if f.severity is Severity.ERROR)
    return next(errors, _("The launch is not valid."))


def _modeled_samples(stage: Ready, l1_wavefronts: float | None) -> dict[SeriesKey, Samples]:
    times = modeled(stage.resolved, stage.run.device, stage.run.occupancy, l1_wavefronts)
    if times is None:
        return {}
    figures = {SeriesKey.KERNEL: times.kernel_s, SeriesKey.TOTAL: times.total_s}
    return {key: Samples((s,)) for key, s in figures.items() if math.isfinite(s)}


def _cheap(resolved: Resolved) -> bool:
    return _work(resolved) <= MOST_CHECKED_FLOPS


def _work(resolved: Resolved) -> float:
    """Operations, or elements moved where these are more."""
    moved = resolved.operation.bytes_moved(resolved.sizes, 1)
    return float(max(resolved.operation.flops(resolved.sizes), moved, 1))


def _work_of(operation: Operation, job: Job) -> float:
    sizes = operation.sizes(job.sizes)
    return float(max(operation.flops(sizes), operation.bytes_moved(sizes, 1), 1))
