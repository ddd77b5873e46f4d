# SPDX-License-Identifier: MIT
"""How a sweep is dealt to several GPUs, and how their results become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadloom.model.job import Job
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


def dealt(request: AnySweep, devices: Sequence[int]) -> tuple[AnySweep, ...]:
    """One request for each GPU; what is to be timed goes to them in turn.

    Each gets small and large ones, then. GPUs of one model differ by little, but they do: a point
    or a series names its device. Sizes are timed by the kernel alone, see `SweepRequest`.
    """
    return tuple(
        _part(request, device, place, len(devices)) for place, device in enumerate(devices)
    )


def _part(request: AnySweep, device: int, place: int, step: int) -> AnySweep:
    job = replace(request.job, engine="gpu", device=device)
    if isinstance(request, SweepRequest):
        return replace(request, job=job, sizes=request.sizes[place::step], kernel_only=True)
    return replace(request, job=job, choices=request.choices[place::step])


def together(request: AnySweep, results: Sequence[AnyResult]) -> AnyResult:
    """The results of dealt requests as one, in the order of the whole request."""
    complete = all(result.complete for result in results)
    sizes = [result for result in results if isinstance(result, SweepResult)]
    if isinstance(request, SweepRequest) and sizes:
        return _sizes_together(request.job, sizes, complete)
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


def progress_together(
    request: AnySweep, so_far: Sequence[AnyProgress]
) -> SweepProgress | LaunchSweepProgress | None:
    """Progress of the parts as one; None before any of them has a point."""
    results = [told.so_far for told in so_far if told.so_far is not None]
    if not results:
        return None
    whole, done = together(request, results), sum(told.done for told in so_far)
    whole = replace(whole, complete=False)
    if isinstance(whole, SweepResult) and isinstance(request, SweepRequest):
        left = [told.left_s for told in so_far if isinstance(told, SweepProgress)]
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


def _sizes_together(job: Job, results: Sequence[SweepResult], complete: bool) -> SweepResult:
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
