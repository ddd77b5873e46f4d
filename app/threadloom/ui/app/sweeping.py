# SPDX-License-Identifier: MIT
"""What a sweep in the window asks for, and what of an interrupted one is taken over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice, Job
from threadloom.model.operation import Operation
from threadloom.model.timing.samples import Series, StoppingCriterion
from threadloom.services.bench.launch_choices import block_choices, variant_choices
from threadloom.services.bench.sizes import usual_sizes
from threadloom.services.messages.launch_sweep import (
    LaunchChoice,
    LaunchPoint,
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.services.run.resolve import bare_size
from threadloom.ui.state.store import LaunchSweep, Over, Store

AnyRequest = SweepRequest | LaunchSweepRequest
MIN_SAMPLES_OF_LAUNCH = 9
"""Samples of a launch at least: a median's interval takes six, and they come in three rounds."""


def sweep_request(
    store: Store, job: Job, operation: Operation, wanted: Sequence[object]
) -> AnyRequest:
    """What is chosen, over what is chosen; an interrupted sweep of the same goes on."""
    if store.over is Over.SIZE:
        return _over_sizes(store, job, operation, wanted)
    return _over_launches(store, job, operation, wanted)


def alike(store: Store, job: Job, operation: Operation, over: Over) -> bool:
    """Whether a sweep of what is chosen would time the same as one of this job."""
    gpus = bool(store.devices and store.devices.gpus)
    chosen = store.workspace.job()
    return _kin(job, over, operation, gpus=gpus) == _kin(chosen, over, operation, gpus=gpus)


def resumable(store: Store, operation: Operation) -> bool:
    """Whether the last sweep of the chosen kind was interrupted and can go on."""
    over = store.over
    if over is Over.SIZE:
        sweep = store.sweep
        broken = isinstance(sweep, SweepResult) and not sweep.complete and bool(sweep.series)
        return (
            broken and isinstance(sweep, SweepResult) and alike(store, sweep.job, operation, over)
        )
    launches = store.launch_sweeps.get(over)
    if launches is None or launches.running or launches.result.complete:
        return False
    return bool(launches.result.points) and alike(store, launches.result.job, operation, over)


def take_progress(store: Store, request: AnyRequest, message: object) -> None:
    """Show the points so far."""
    if isinstance(message, SweepProgress):
        store.set_sweep(message)
    elif isinstance(message, LaunchSweepProgress) and isinstance(request, LaunchSweepRequest):
        so_far = message.so_far or LaunchSweepResult(request.job, message.points, {}, False)
        store.set_launch_sweep(_launch_sweep(request, so_far, running=True))


def take_result(store: Store, request: AnyRequest, result: object) -> None:
    """Show a whole sweep, or one that was stopped."""
    if isinstance(result, SweepResult):
        store.set_sweep(result)
    elif isinstance(result, LaunchSweepResult) and isinstance(request, LaunchSweepRequest):
        store.set_launch_sweep(_launch_sweep(request, result, running=False))


def keep_points(store: Store, request: AnyRequest) -> None:
    """The worker is gone in the midst of a sweep: what was told stays as a stopped sweep."""
    if isinstance(request, SweepRequest):
        sweep = store.sweep
        if isinstance(sweep, SweepProgress) and sweep.so_far is not None:
            store.set_sweep(sweep.so_far)
        return
    launches = store.launch_sweeps.get(over_of(request))
    if launches is not None and launches.running:
        store.set_launch_sweep(replace(launches, running=False))


def over_of(request: LaunchSweepRequest) -> Over:
    """What a sweep over launches goes over."""
    own = all(choice.block is None for choice in request.choices)
    return Over.VARIANT if own else Over.BLOCK


def _launch_sweep(
    request: LaunchSweepRequest, result: LaunchSweepResult, *, running: bool
) -> LaunchSweep:
    return LaunchSweep(over_of(request), result, request.choices, running)


def _over_sizes(
    store: Store, job: Job, operation: Operation, wanted: Sequence[object]
) -> SweepRequest:
    sizes = tuple(int(size) for size in wanted if isinstance(size, int))
    choices = store.sweep_choices
    done: tuple[Series, ...] = ()
    if resumable(store, operation) and isinstance(store.sweep, SweepResult):
        done = store.sweep.series
    return SweepRequest(
        job,
        sizes or usual_sizes(operation),
        choices.rule,
        choices.skip_above_s,
        done=done,
        baselines=store.baselines,
    )


def _over_launches(
    store: Store, job: Job, operation: Operation, wanted: Sequence[object]
) -> LaunchSweepRequest:
    over, earlier = store.over, store.launch_sweeps.get(store.over)
    goes_on = resumable(store, operation)
    done: tuple[LaunchPoint, ...] = ()
    choices = _choices(over, job, operation, wanted)
    if earlier is not None and goes_on:
        done = earlier.result.points
        choices = choices if wanted else earlier.choices
    return LaunchSweepRequest(_plain(job, over), choices, _rule(store), done)


def _choices(
    over: Over, job: Job, operation: Operation, wanted: Sequence[object]
) -> tuple[LaunchChoice, ...]:
    if over is Over.VARIANT:
        return variant_choices(operation)
    blocks = [block for block in wanted if isinstance(block, Dim3)]
    return block_choices(operation.variant(job.variant), operation.sizes(job.sizes), blocks)


def _rule(store: Store) -> StoppingCriterion:
    """The chosen number of samples, but enough for a median's interval."""
    chosen = store.sweep_choices.rule.max_samples
    return StoppingCriterion(
        min_samples=MIN_SAMPLES_OF_LAUNCH,
        max_samples=max(chosen, MIN_SAMPLES_OF_LAUNCH),
        time_limit_s=0.3,
    )


def _plain(job: Job, over: Over) -> Job:
    """The job without what each launch of the sweep has of its own."""
    if over is Over.BLOCK:
        return replace(job, block=None, grid=None)
    return replace(job, block=None, grid=None, source=None, entry=None, shared_bytes=None)


def _kin(job: Job, over: Over, operation: Operation, *, gpus: bool) -> Job:
    """The job without what a sweep over this changes, and with the engine that it comes to."""
    sizes, job = operation.sizes(job.sizes), replace(job, operations_folder=None)
    if job.engine == EngineChoice.EMULATOR or not gpus:
        job = replace(job, engine=EngineChoice.EMULATOR, device=0)
    else:
        job = replace(job, engine=EngineChoice.GPU, model="")
    if over is Over.SIZE:
        return replace(job, sizes={**sizes, **bare_size(operation, 1)})
    same = replace(_plain(job, over), sizes=sizes)
    return replace(same, variant="") if over is Over.VARIANT else same
