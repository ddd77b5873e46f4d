# SPDX-License-Identifier: MIT
"""Time one problem with several block sizes, block shapes or variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from threadloom.backends.base import Backend, LaunchError, TimesLaunches
from threadloom.model.message import NOTHING, Message, _, message_of
from threadloom.model.occupancy import occupancy
from threadloom.model.provenance import Engine, Provenance
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import Samples
from threadloom.services.bench.environment import environment
from threadloom.services.bench.measure import counted_passes, modeled
from threadloom.services.messages.launch_sweep import (
    LaunchChoice,
    LaunchPoint,
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.run.cached_inputs import Problem, make_problem
from threadloom.services.run.draft import Draft
from threadloom.services.run.engines import Engines
from threadloom.services.run.observation import Observation
from threadloom.services.run.resolve import JobError, resolve
from threadloom.services.run.runner import bind_problem, compare_outputs, compile_draft
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
        for begin in range(0, len(choices), together):
            yield choices[begin : begin + together]


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
        ready: list[tuple[LaunchChoice, Draft]] = []
        for choice in choices:
            self._context.check()
            draft, reason = self._draft(choice, problem)
            if draft is None or reason:
                points[choice] = self._point(choice, draft, None, reason)
            else:
                ready.append((choice, draft))
        samples, reason = self._times([draft for _choice, draft in ready], problem)
        for (choice, draft), one in zip(ready, samples, strict=True):
            points[choice] = self._point(choice, draft, one, reason if one is None else NOTHING)
        return [points[choice] for choice in choices]

    def _draft(self, choice: LaunchChoice, problem: Problem) -> tuple[Draft | None, Message]:
        """The launch, compiled and bound, or why it cannot take place."""
        job = replace(self._request.job, variant=choice.variant, block=choice.block, grid=None)
        try:
            draft = Draft(resolve(job), self._backend)
        except JobError as error:
            return None, message_of(error)
        if draft.is_refused:
            return draft, _reason(draft)
        if not compile_draft(draft, self._engines, self._context):
            return draft, _reason(draft)
        if not bind_problem(draft, problem):
            return draft, _reason(draft)
        return draft, NOTHING

    def _times(
        self, drafts: Sequence[Draft], problem: Problem
    ) -> tuple[list[Samples | None], Message]:
        if not drafts:
            return [], NOTHING
        try:
            self._check(drafts, problem)
            if not isinstance(self._backend, TimesLaunches):
                return [_modeled(draft) for draft in drafts], _("Nothing would run.")
            first = drafts[0]
            assert first.compiled is not None and first.bound is not None  # noqa: S101, PT018
            launches = [draft.resolved.launch for draft in drafts]
            rule, arguments = self._request.rule, first.bound.arguments
            return list(self._backend.launches(first.compiled, launches, arguments, rule)), NOTHING
        except LaunchError as error:
            if error.context_lost:
                self._context.retire()
            return [None] * len(drafts), message_of(error)

    def _check(self, drafts: Sequence[Draft], problem: Problem) -> None:
        """Hold each launch's output against NumPy's; in the emulator, where that is quick."""
        for draft in drafts:
            self._context.check()
            assert draft.compiled is not None and draft.bound is not None  # noqa: S101, PT018
            if draft.engine is Engine.GPU:
                launch, arguments = draft.resolved.launch, draft.bound.arguments
                outputs = self._backend.run(draft.compiled, launch, arguments)
            elif draft.resolved.launch.threads <= MOST_OBSERVED_THREADS:
                outputs = Observation(self._engines).of_launch(draft, None)
            else:
                continue
            draft.comparisons = compare_outputs(draft, outputs, problem)

    def _point(
        self, choice: LaunchChoice, draft: Draft | None, samples: Samples | None, reason: Message
    ) -> LaunchPoint:
        measured = isinstance(self._backend, TimesLaunches)
        found = draft.comparisons if draft is not None else ()
        return LaunchPoint(
            choice=choice,
            launch=None if draft is None else draft.resolved.launch,
            samples=samples,
            provenance=Provenance.MEASURED if measured else Provenance.MODELED,
            device=self._backend.device.name,
            matches=all(comparison.matches for comparison in found) if found else None,
            warps_per_sm=_warps(draft),
            skipped=reason,
        )


def _warps(draft: Draft | None) -> int | None:
    if draft is None or draft.compiled is None:
        return None
    return occupancy(draft.device, draft.resolved.launch, draft.compiled.resources).warps_per_sm


def _modeled(draft: Draft) -> Samples | None:
    counted = counted_passes(draft.trace)
    times = modeled(draft.resolved, draft.device, draft.occupancy, counted)
    return None if times is None else Samples((times.kernel_s,))


def _reason(draft: Draft) -> Message:
    errors = (f.message for f in draft.findings() if f.severity is Severity.ERROR)
    return next(errors, _("The kernel cannot be launched."))
