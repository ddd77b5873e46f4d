# SPDX-License-Identifier: MIT
"""Requests for a sweep over sizes, its progress and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from threadloom.model.job import Job
from threadloom.model.message import Message
from threadloom.model.timing.samples import (
    USUAL_BASELINES,
    Series,
    SeriesKey,
    StoppingCriterion,
)


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """Time a job over sizes; every point is sent ahead as `SweepProgress`, then a `SweepResult`.

    A bare size sets every axis.
    """

    job: Job
    sizes: tuple[int, ...]
    rule: StoppingCriterion = StoppingCriterion(min_samples=6, max_samples=20, time_limit_s=0.5)
    skip_above_s: float = 10.0
    """A series stops at the size where one run would take longer."""
    done: tuple[Series, ...] = ()
    """Series of an earlier sweep that was stopped: sizes of which all is known are taken over."""
    baselines: tuple[SeriesKey, ...] = USUAL_BASELINES
    """Of `BASELINES`: what to time beside the kernel, as far as it is here."""
    kernel_only: bool = False
    """Time neither baselines nor copies. It is so where several GPUs share a sweep: baselines and
    copies of several sizes at a time would take the processor and the bus from each other."""


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Smallest size from which the GPU, copies counted, beats a baseline."""

    baseline: Message
    size: float | None
    """Interpolated between points; None if it never does in this range."""
    low: float | None = None
    """Least that the size may be, as far as the samples tell; None if it never does."""
    high: float | None = None
    """Most that it may be; None if it may be that the GPU never gets ahead in this range."""


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """Series so far."""

    series: tuple[Series, ...]
    done: int
    total: int
    left_s: float | None
    so_far: SweepResult | None = None
    """What there is if the sweep ends here, however it does."""


@dataclass(frozen=True, slots=True)
class SweepResult:
    """All series of a sweep with what is needed to repeat it."""

    job: Job
    launch_text: Message
    """Such as ``256 threads a block, grid follows size``."""
    axis: Message
    """Such as ``n, elements`` or ``n, for n × n matrices``."""
    series: tuple[Series, ...]
    break_even: tuple[BreakEven, ...]
    environment: Mapping[str, str]
    """Device, driver, versions, CPU, threads, date, seed."""
    all_match: bool | None
    complete: bool
    """False if it was stopped."""
