# SPDX-License-Identifier: MIT
"""A sweep, or a run's timings, as one JSON object."""

from __future__ import annotations

from threadloom.model.timing.samples import Point, Series, Timing
from threadloom.services.export.plain import (
    Plain,
    job_to_plain,
    launch_to_plain,
    samples_to_plain,
)
from threadloom.services.export.timings import TimingsRecord
from threadloom.services.messages.sweep import SweepResult

SWEEP = "threadloom-sweep"
RUN = "threadloom-run-timings"
VERSION = 1
"""Of both forms; raised when a reader of today could not read them any more."""


def sweep_document(result: SweepResult) -> Plain:
    """Everything of a sweep; `threadloom bench --json` prints it, too."""
    return {
        "format": SWEEP,
        "version": VERSION,
        "operation": result.job.operation,
        "variant": result.job.variant,
        "dtype": result.job.dtype,
        "axis": result.axis.english(),
        "launch_text": result.launch_text.english(),
        "series": [_series(series) for series in result.series],
        "break_even": [
            {
                "baseline": found.baseline.english(),
                "size": found.size,
                "low": found.low,
                "high": found.high,
            }
            for found in result.break_even
        ],
        "environment": dict(result.environment),
        "all_match": result.all_match,
        "complete": result.complete,
        "job": job_to_plain(result.job),
    }


def run_document(record: TimingsRecord) -> Plain:
    """Everything of a run's timings."""
    return {
        "format": RUN,
        "version": VERSION,
        "operation": record.job.operation,
        "variant": record.job.variant,
        "engine": record.engine.value,
        "device": record.device,
        "launch": launch_to_plain(record.launch),
        "timings": [timing_to_plain(timing) for timing in record.timings],
        "environment": dict(record.environment),
        "job": job_to_plain(record.job),
    }


def timing_to_plain(timing: Timing) -> Plain:
    """One bar."""
    return {
        "key": timing.key.value,
        "label": timing.label.english(),
        "source": timing.provenance.value,
        "device": timing.device,
        **samples_to_plain(timing.samples),
    }


def _series(series: Series) -> Plain:
    return {
        "key": series.key.value,
        "label": series.label.english(),
        "source": series.provenance.value,
        "engine": series.engine.value,
        "device": series.device,
        "baseline": series.baseline.english(),
        "points": [_point(point) for point in series.points],
    }


def _point(point: Point) -> Plain:
    if point.samples is None:
        return {"size": point.size, "samples_s": [], "skipped": point.skipped.english()}
    return {"size": point.size, **samples_to_plain(point.samples)}
