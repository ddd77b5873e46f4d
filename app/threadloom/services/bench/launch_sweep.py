# SPDX-License-Identifier: MIT
"""Time one problem with several block sizes, block shapes or variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from threadloom.backends.base import Backend, LaunchError, TimesLaunches
from threadloom.model.message import NOTHING, Message, _, message_of
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import Samples
from threadloom.services.bench.environment import environment
from threadloom.services.bench.measure import counted_wavefronts, modeled
from threadloom.services.messages.launch_sweep import (
    LaunchChoice,
    LaunchPoint,
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.run.cached_inputs import Problem, make_problem
from threadloom.services.run.compare import compare_outputs
from threadloom.services.run.compile import compile_kernel
from threadloom.services.run.engines import Engines
from threadloom.services.run.observation import Observer
from threadloom.services.run.resolve import JobError, resolve
from threadloom.services.run.stages import Begun, Built, Ready, begin, bind_problem
from threadloom.worker.protocol import Cancelled, Context

TOGETHER = 8
"""So many launches of one variant are timed in turns; then their points are told. Modeled times
need no turns: each is told at once."""
MOST_OBSERVED_THREADS = 1 << 18
"""Up to so many threads the emulator counts passes, which modeled times are better with."""


class LaunchSweeper:
    """Makes sweeps over launches."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def run(self, request: LaunchSweepRequest, context: Context) -> LaunchSweepResult:
        """Measure group after group; on a wish to stop, give what there is so far.

        Raises:
            JobError: If the job means nothing.
            EngineUnavailableError: If the engine asked for is not here.
        """
        backend = self._engines.choose(request.job)
        device = backend.device
        found = {point.choice: point for point in request.done}
        surroundings = environment(device, request.job.seed, self._engines.conditions(device))
        problem = make_problem(resolve(replace(request.job, block=None, grid=None)))
        complete = True
        together = TOGETHER if isinstance(backend, TimesLaunches) else 1
        for group in _groups(request, found, together):
            if context.cancelled:
                complete = False
                break
            try:
                points = _Group(request, backend, self._engines, context).measured(group, problem)
            except Cancelled:
                complete = False
                break
            found |= {point.choice: point for point in points}
            context.progress(_progress(request, _result(request, found, surroundings, False)))
        return _result(request, found, surroundings, complete)


def _groups(
    request: LaunchSweepRequest, found: Mapping[LaunchChoice, LaunchPoint], together: int
) -> Iterator[list[LaunchChoice]]:
    left = [choice for choice in dict.fromkeys(request.choices) if choice not in found]
    for _variant, same in groupby(left, key=lambda choice: choice.variant):
        choices = list(same)
        for first in range(0, len(choices), together):
            yield choices[first : first + together]


def _result(
    request: LaunchSweepRequest,
    found: Mapping[LaunchChoice, LaunchPoint],
    surroundings: Mapping[str, str],
    complete: bool,
) -> LaunchSweepResult:
    ordered = tuple(found[choice] for choice in request.choices if choice in found)
    return LaunchSweepResult(request.job, ordered, surroundings, complete)


def _progress(request: LaunchSweepRequest, so_far: LaunchSweepResult) -> LaunchSweepProgress:
    points = so_far.points
    return LaunchSweepProgress(points, len(points), len(request.choices), so_far)


class _Group:
    """Some launches of one variant."""

    def __init__(
        self, request: LaunchSweepRequest, backend: Backend, engines: Engines, context: Context
    ) -> None:
        self._request = request
        self._backend = backend
        self._engines = engines
        self._context = context

    def measured(self, choices: Sequence[LaunchChoice], problem: Problem) -> list[LaunchPoint]:
        """One point for each choice."""
        points: dict[LaunchChoice, LaunchPoint] = {}
        ready: list[tuple[LaunchChoice, Ready]] = []
        for choice in choices:
            self._context.check()
            stage = self._prepared(choice, problem)
            if isinstance(stage, Ready) and not stage.is_refused:
                ready.append((choice, stage))
            else:
                points[choice] = self._point(choice, stage, None, _why_not(stage))
        checked, samples, reason = self._times([stage for _choice, stage in ready])
        for (choice, _stage), stage, one in zip(ready, checked, samples, strict=True):
            points[choice] = self._point(choice, stage, one, reason if one is None else NOTHING)
        return [points[choice] for choice in choices]

    def _prepared(self, choice: LaunchChoice, problem: Problem) -> Begun | Message:
        """The launch, compiled and bound as far as that goes; a text if it is none."""
        job = replace(self._request.job, variant=choice.variant, block=choice.block, grid=None)
        try:
            begun = begin(resolve(job), self._backend)
        except JobError as error:
            return message_of(error)
        if begun.is_refused:
            return begun
        kernel = compile_kernel(begun, self._engines, self._context)
        return bind_problem(kernel, problem) if isinstance(kernel, Built) else kernel

    def _times(
        self, stages: Sequence[Ready]
    ) -> tuple[Sequence[Ready], Sequence[Samples | None], Message]:
        """The launches with their comparisons, their times, and why there are none."""
        if not stages:
            return stages, [], NOTHING
        checked: list[Ready] = []
        try:
            for stage in stages:
                checked.append(self._checked(stage))
            if not isinstance(self._backend, TimesLaunches):
                return checked, [_modeled(stage) for stage in checked], _("No launch to run.")
            first, rule = stages[0], self._request.rule
            launches = [stage.run.launch for stage in stages]
            samples = self._backend.launches(first.compiled, launches, first.bound.arguments, rule)
        except LaunchError as error:
            if error.context_lost:
                self._context.recycle()
            return [*checked, *stages[len(checked) :]], [None] * len(stages), message_of(error)
        return checked, samples, NOTHING

    def _checked(self, stage: Ready) -> Ready:
        """Compare a launch's output with NumPy's; in the emulator, where that is quick."""
        self._context.check()
        launch = stage.run.launch
        if stage.run.engine is Engine.GPU:
            outputs = self._backend.run(stage.compiled, launch, stage.bound.arguments)
        elif launch.threads <= MOST_OBSERVED_THREADS:
            stage, outputs = Observer(self._engines).of_launch(stage, None)
        else:
            return stage
        found = compare_outputs(stage, outputs)
        return stage.seen(replace(stage.observation, comparisons=found))

    def _point(
        self, choice: LaunchChoice, stage: Begun | Message, samples: Samples | None, reason: Message
    ) -> LaunchPoint:
        measured = isinstance(self._backend, TimesLaunches)
        run = None if isinstance(stage, Message) else stage.run
        held = run.occupancy if run is not None else None
        return LaunchPoint(
            choice=choice,
            launch=None if run is None else run.launch,
            samples=samples,
            provenance=Provenance.MEASURED if measured else Provenance.MODELED,
            device=self._backend.device.name,
            matches=None if run is None else run.matches,
            warps_per_sm=None if held is None else held.warps_per_sm,
            skipped=reason,
        )


def _modeled(stage: Ready) -> Samples | None:
    counted = counted_wavefronts(stage.run.trace)
    times = modeled(stage.resolved, stage.run.device, stage.run.occupancy, counted)
    return None if times is None else Samples((times.kernel_s,))


def _why_not(stage: Begun | Message) -> Message:
    if isinstance(stage, Message):
        return stage
    errors = (f.message for f in stage.result().findings if f.severity is Severity.ERROR)
    return next(errors, _("The launch is not valid."))
