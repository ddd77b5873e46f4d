# SPDX-License-Identifier: MIT
"""Shards of a sweep for several GPUs, and the merge of their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from threadloom.model.job import EngineChoice, Job
from threadloom.model.message import Message
from threadloom.model.timing.samples import Point, Series
from threadloom.services.messages.launch_sweep import (
    LaunchPoint,
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.text import _

AnySweep = SweepRequest | LaunchSweepRequest
AnyProgress = SweepProgress | LaunchSweepProgress
AnyResult = SweepResult | LaunchSweepResult


def shards(request: AnySweep, devices: Sequence[int]) -> tuple[AnySweep, ...]:
    """One request for each GPU, with every n-th of the points.

    Each gets small and large ones, then. GPUs of one model differ by little, but they do: a point
    or a series names its device. Over sizes only the kernel is timed, see `SweepRequest`.
    """
    return tuple(
        _shard(request, device, place, len(devices)) for place, device in enumerate(devices)
    )


class SweepMerge:
    """Makes one sweep of those of its shards."""

    def __init__(self, request: AnySweep) -> None:
        self._request = request

    def progress(self, messages: Sequence[object]) -> object | None:
        """All points so far."""
        return merged_progress(self._request, cast("Sequence[AnyProgress]", messages))

    def result(self, results: Sequence[object]) -> object:
        """All points."""
        return merged(self._request, cast("Sequence[AnyResult]", results))


def _shard(request: AnySweep, device: int, place: int, step: int) -> AnySweep:
    job = replace(request.job, engine=EngineChoice.GPU, device=device)
    if isinstance(request, SweepRequest):
        return replace(request, job=job, sizes=request.sizes[place::step], kernel_only=True)
    return replace(request, job=job, choices=request.choices[place::step])


def merged(request: AnySweep, results: Sequence[AnyResult]) -> AnyResult:
    """The results of shards as one, in the order of the whole request."""
    complete = all(result.complete for result in results)
    sizes = [result for result in results if isinstance(result, SweepResult)]
    if isinstance(request, SweepRequest) and sizes:
        return _merged_sizes(request.job, sizes, complete)
    done = request.done if isinstance(request, LaunchSweepRequest) else ()
    launches = [_numbered(one, done) for one in results if isinstance(one, LaunchSweepResult)]
    found = {point.choice: point for result in launches for point in result.points}
    choices = request.choices if isinstance(request, LaunchSweepRequest) else tuple(found)
    return LaunchSweepResult(
        job=request.job,
        points=tuple(found[choice] for choice in choices if choice in found),
        environment=launches[0].environment,
        complete=complete,
    )


def merged_progress(
    request: AnySweep, so_far: Sequence[AnyProgress]
) -> SweepProgress | LaunchSweepProgress | None:
    """Progress of the shards as one; None before any of them has a point."""
    results = [shard.so_far for shard in so_far if shard.so_far is not None]
    if not results:
        return None
    whole, done = merged(request, results), sum(shard.done for shard in so_far)
    whole = replace(whole, complete=False)
    if isinstance(whole, SweepResult) and isinstance(request, SweepRequest):
        left = [shard.left_s for shard in so_far if isinstance(shard, SweepProgress)]
        known = [seconds for seconds in left if seconds is not None]
        return SweepProgress(
            whole.series, done, len(request.sizes), max(known, default=None), whole
        )
    if isinstance(whole, LaunchSweepResult) and isinstance(request, LaunchSweepRequest):
        return LaunchSweepProgress(whole.points, done, len(request.choices), whole)
    return None


def _numbered(result: LaunchSweepResult, done: Sequence[LaunchPoint]) -> LaunchSweepResult:
    """New points with the number of their GPU, for several GPUs often have one name."""
    text, number, known = _("{device}, GPU {number}"), result.job.device, set(done)
    points = tuple(
        p if p in known else replace(p, device=text.format(device=p.device, number=number))
        for p in result.points
    )
    return replace(result, points=points)


def _merged_sizes(job: Job, results: Sequence[SweepResult], complete: bool) -> SweepResult:
    """Series with the same name become one; GPUs of different models stay apart."""
    series: dict[Message, Series] = {}
    for result in results:
        for one in result.series:
            known = series.get(one.label)
            points = one.points if known is None else _sorted(known.points + one.points)
            series[one.label] = replace(one, points=points)
    matches = [result.all_match for result in results if result.all_match is not None]
    return replace(
        results[0],
        job=job,
        series=tuple(series.values()),
        break_even=(),
        all_match=all(matches) if matches else None,
        complete=complete,
    )


def _sorted(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple(sorted(points, key=lambda point: point.size))
