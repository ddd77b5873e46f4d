# SPDX-License-Identifier: MIT
"""Times of one problem: named baselines on this CPU, the kernel on a GPU or modeled for one."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from threadloom.backends.base import TransferTimes
from threadloom.backends.host import (
    c_loop,
    c_loop_label,
    measure,
    numpy_label,
    threaded_loop,
    threaded_loop_label,
)
from threadloom.model.array import Array
from threadloom.model.device import DeviceModel
from threadloom.model.message import Message, _
from threadloom.model.occupancy import Occupancy
from threadloom.model.operation import Role
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.timing.interleaving import interleave, joined
from threadloom.model.timing.kernel_times import KernelTimes
from threadloom.model.timing.rates import Rates, rates
from threadloom.model.timing.roofline import ModeledTimes, modeled_times
from threadloom.model.timing.samples import (
    RELATIVE_TARGET,
    USUAL_BASELINES,
    Samples,
    SeriesKey,
    StoppingCriterion,
    Timing,
)
from threadloom.model.trace import Trace
from threadloom.model.wavefronts import count_wavefronts
from threadloom.services.bench.environment import cpu_name, usable_threads
from threadloom.services.bench.framework_baseline import framework_times
from threadloom.services.run.cached_inputs import Problem
from threadloom.services.run.resolve import Resolved
from threadloom.services.run.stages import Ready
from threadloom.worker.protocol import Context
from threadloom_kernels import read_loop

LOOP_FLOPS_PER_S = 1e9
"""What a plain C loop does at least, by experience; to foretell whether it is worth a wait."""
MOST_LOOP_S = 2.0
"""In a run, the C loop is left out if it is likely to take longer."""
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """Something on this CPU to compare the kernel with."""

    key: SeriesKey
    label: Message
    call: Callable[[], object]
    repeat: Callable[[int], object] | None = None
    """Makes this many calls without going back to Python."""
    close: Callable[[], None] = lambda: None
    """Gives back what it holds, after the last call."""


class Measurements:
    """Takes times; those that do not depend on the launch are kept for the next one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Timing, ...]] = OrderedDict()

    def of_run(
        self,
        stage: Ready,
        rule: StoppingCriterion,
        context: Context,
        wanted: Sequence[SeriesKey] = USUAL_BASELINES,
    ) -> tuple[Ready, Mapping[str, Array]]:
        """Bars of a run: the baselines that are wanted, then kernel, copies and both together.

        With them, the results of a launch after all timing, by the kernel's parameters.

        Raises:
            LaunchError: If the GPU fails.
        """
        run, resolved = stage.run, stage.resolved
        host = self._baselines(resolved, stage.problem, rule, context, wanted)
        context.check()
        if run.engine is Engine.GPU:
            measured = stage.backend.time(stage.compiled, run.launch, stage.bound.arguments, rule)
            frameworks = _frameworks(stage, rule) if _wants_frameworks(wanted) else ()
            measurement = replace(
                stage.measurement,
                timings=(*host, *frameworks, *_measured(measured, run.device.name)),
                kernel_times=kernel_times(measured, resolved, run.device),
            )
            return stage.timed(measurement), measured.outputs_after
        times = modeled(resolved, run.device, run.occupancy, counted_wavefronts(run.trace))
        bars = host if times is None else host + modeled_timings(times, run.device.name)
        return stage.timed(replace(stage.measurement, timings=bars)), {}

    def knows_host(
        self,
        problem: Problem,
        rule: StoppingCriterion,
        wanted: Sequence[SeriesKey] = USUAL_BASELINES,
    ) -> bool:
        """Whether the baselines on this CPU are timed already."""
        return (problem.key, rule, frozenset(wanted)) in self._kept

    def _baselines(
        self,
        resolved: Resolved,
        problem: Problem,
        rule: StoppingCriterion,
        context: Context,
        wanted: Sequence[SeriesKey],
    ) -> tuple[Timing, ...]:
        key = (problem.key, rule, frozenset(wanted))
        if key not in self._kept:
            quick = [one for one in wanted if _is_quick(one, resolved)]
            chosen = baselines(resolved, problem, quick)
            try:
                samples = interleaved(chosen, rule, context)
            finally:
                for baseline in chosen:
                    baseline.close()
            self._kept[key] = tuple(
                Timing(b.key, b.label, samples[b.key], Provenance.MEASURED, cpu_name())
                for b in chosen
            )
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]


def baselines(
    resolved: Resolved, problem: Problem, wanted: Collection[SeriesKey] = USUAL_BASELINES
) -> list[Baseline]:
    """Those on this CPU that are wanted and that the operation has, ready to be called."""
    operation = resolved.operation
    found: list[Baseline] = []
    if SeriesKey.C_LOOP in wanted:
        loop = c_loop(read_loop(operation, resolved.dtype), problem.values)
        found.append(Baseline(SeriesKey.C_LOOP, c_loop_label(), loop, loop.repeat))
    if SeriesKey.C_LOOP_THREADS in wanted and operation.row_axis:
        found.append(_threaded(resolved, problem))
    if SeriesKey.NUMPY in wanted:
        numpy = partial(operation.reference, problem.inputs, resolved.sizes)
        found.append(Baseline(SeriesKey.NUMPY, numpy_label(), numpy))
    return found


def _threaded(resolved: Resolved, problem: Problem) -> Baseline:
    """The C loop on all threads; only of operations whose rows do not depend on each other."""
    operation = resolved.operation
    source = read_loop(operation, resolved.dtype)
    loop = threaded_loop(source, problem.values, operation.row_arrays, operation.row_axis)
    label = threaded_loop_label(loop.threads)
    return Baseline(SeriesKey.C_LOOP_THREADS, label, loop, close=loop.close)


def _wants_frameworks(wanted: Sequence[SeriesKey]) -> bool:
    return SeriesKey.FRAMEWORK in wanted


def _frameworks(stage: Ready, rule: StoppingCriterion) -> tuple[Timing, ...]:
    found = framework_times(stage.backend, stage.resolved, stage.problem, rule)
    name = stage.run.device.name
    return tuple(
        Timing(SeriesKey.FRAMEWORK, one.label, one.warm, Provenance.MEASURED, name) for one in found
    )


def loop_seconds(resolved: Resolved) -> float:
    """About how long the C loop takes once."""
    return resolved.operation.flops(resolved.sizes) / LOOP_FLOPS_PER_S


def _is_quick(key: SeriesKey, resolved: Resolved) -> bool:
    """Whether a baseline is likely to take no longer than a run may wait for."""
    seconds = loop_seconds(resolved)
    if key is SeriesKey.C_LOOP_THREADS:
        return seconds / usable_threads() <= MOST_LOOP_S
    return key is not SeriesKey.C_LOOP or seconds <= MOST_LOOP_S


def interleaved(
    chosen: list[Baseline], criterion: StoppingCriterion, context: Context
) -> Mapping[SeriesKey, Samples]:
    """Interleaved trials of baselines; the criterion is for all rounds of each together."""

    def trial(baseline: Baseline, part: StoppingCriterion) -> Samples:
        context.check()
        return measure(baseline.call, part, baseline.repeat)

    found = interleave([partial(trial, baseline) for baseline in chosen], criterion)
    return {b.key: joined(parts, criterion) for b, parts in zip(chosen, found, strict=True)}


def modeled(
    resolved: Resolved,
    device: DeviceModel,
    occupied: Occupancy | None,
    l1_wavefronts: float | None = None,
) -> ModeledTimes | None:
    """Roofline times of a launch, None where nothing would run; better with counted passes."""
    launch = resolved.launch
    if occupied is None or occupied.blocks_per_sm < 1 or launch.blocks < 1:
        return None
    operation, sizes, item = resolved.operation, resolved.sizes, resolved.item_bytes
    return modeled_times(
        device,
        operation.bytes_moved(sizes, item),
        operation.flops(sizes),
        resolved.dtype,
        launch,
        occupied,
        h2d_bytes=_array_bytes(resolved, Role.IN, Role.INOUT),
        d2h_bytes=_array_bytes(resolved, Role.OUT, Role.INOUT),
        l1_wavefronts=l1_wavefronts,
    )


def counted_wavefronts(trace: Trace | None) -> int | None:
    """Passes through the SMs' L1 caches that an observed run made; None if it was not observed."""
    return None if trace is None else count_wavefronts(trace.sites)


def _array_bytes(resolved: Resolved, *roles: Role) -> int:
    arrays = (a for a in resolved.operation.arguments if a.role in roles)
    return sum(math.prod(a.extents(resolved.sizes)) for a in arrays) * resolved.item_bytes


def modeled_timings(times: ModeledTimes, device: str) -> tuple[Timing, ...]:
    """Modeled times as bars; copies are left out where the link is not known."""
    figures = (
        (SeriesKey.KERNEL, _("Kernel"), times.kernel_s),
        (SeriesKey.H2D, _("H2D copy"), times.h2d_s),
        (SeriesKey.D2H, _("D2H copy"), times.d2h_s),
        (SeriesKey.TOTAL, _("Kernel and transfers"), times.total_s),
    )
    return tuple(
        Timing(key, label, Samples((seconds,)), Provenance.MODELED, device)
        for key, label, seconds in figures
        if math.isfinite(seconds)
    )


def kernel_times(times: TransferTimes, resolved: Resolved, device: DeviceModel) -> KernelTimes:
    """Every way in which the kernel was timed, with the rates that follow."""
    moved = resolved.operation.bytes_moved(resolved.sizes, resolved.item_bytes)
    flops = resolved.operation.flops(resolved.sizes)

    def reached(samples: Samples) -> Rates:
        return rates(device, moved, flops, resolved.dtype, samples.median_s)

    cold = times.kernel_cold
    return KernelTimes(
        warm=times.kernel,
        warm_rates=reached(times.kernel),
        cold=cold,
        cold_rates=None if cold is None else reached(cold),
        in_stream=times.in_stream,
        empty=times.empty,
        empty_cold=times.empty_cold,
    )


def _measured(times: TransferTimes, device: str) -> tuple[Timing, ...]:
    """Measured times as bars. Cold and warm are two bars; the warm one comes last."""
    figures = [
        (SeriesKey.KERNEL, _("Kernel, warm caches"), times.kernel),
        (SeriesKey.H2D, _("H2D copy"), times.h2d),
        (SeriesKey.D2H, _("D2H copy"), times.d2h),
        (SeriesKey.TOTAL, _("Kernel and transfers"), total_samples(times)),
    ]
    if times.kernel_cold is not None:
        figures.insert(0, (SeriesKey.KERNEL, _("Kernel, cold caches"), times.kernel_cold))
    return tuple(
        Timing(key, label, samples, Provenance.MEASURED, device) for key, label, samples in figures
    )


def total_samples(times: TransferTimes) -> Samples:
    """Copies and kernel one after the other: sums of the samples in the order they were taken."""
    parts = (times.h2d, times.kernel, times.d2h)
    sums = tuple(sum(together) for together in zip(*(p.seconds for p in parts), strict=False))
    resolution_s = max(part.timer_resolution_s for part in parts)
    total = Samples(sums, timer_resolution_s=resolution_s)
    reached = total.relative_half_width
    return replace(total, converged=reached is not None and reached <= RELATIVE_TARGET)
