# SPDX-License-Identifier: MIT
"""This session's runs as series over size, while no sweep has been made."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.message import NOTHING
from threadloom.model.operation import Operation
from threadloom.model.provenance import Engine
from threadloom.model.run import Run
from threadloom.model.timing.samples import Point, Series, SeriesKey, Timing
from threadloom.presentation.bench.problem_size import problem_size

_SHOWN = (
    SeriesKey.TOTAL,
    SeriesKey.KERNEL,
    SeriesKey.NUMPY,
    SeriesKey.C_LOOP_THREADS,
    SeriesKey.C_LOOP,
)
_HOST = {SeriesKey.NUMPY, SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS}


def live_series(runs: Iterable[Run], last: Run, operation: Operation) -> tuple[Series, ...]:
    """Timings of all runs of the same kernel and type on the same device, the latest of a size."""
    alike = [run for run in runs if _alike(run, last)]
    points: dict[SeriesKey, dict[int, Timing]] = {}
    for result in alike:
        size = problem_size(operation, result.job.sizes)
        for timing in result.timings:
            points.setdefault(timing.key, {})[size] = timing
    return tuple(_series(key, points[key], last.engine) for key in _SHOWN if key in points)


def _alike(result: Run, last: Run) -> bool:
    job, wanted = result.job, last.job
    same = (job.operation, job.variant, job.dtype) == (
        wanted.operation,
        wanted.variant,
        wanted.dtype,
    )
    return same and result.device.name == last.device.name


def _series(key: SeriesKey, timings: dict[int, Timing], engine: Engine) -> Series:
    newest = next(reversed(timings.values()))
    host = key in _HOST
    return Series(
        key=key,
        label=newest.label,
        provenance=newest.provenance,
        engine=Engine.HOST if host else engine,
        device=newest.device,
        baseline=NOTHING,
        points=tuple(Point(size, timings[size].samples) for size in sorted(timings)),
    )
