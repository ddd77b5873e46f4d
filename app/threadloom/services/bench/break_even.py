# SPDX-License-Identifier: MIT
"""From which size on a GPU, copies counted, is faster than a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterable

from threadloom.model.timing.confidence_interval import median_interval
from threadloom.model.timing.samples import Series, SeriesKey
from threadloom.services.messages.sweep import BreakEven

BASELINES = (SeriesKey.C_LOOP, SeriesKey.C_LOOP_THREADS, SeriesKey.NUMPY)


def break_even(series: Iterable[Series]) -> tuple[BreakEven, ...]:
    """One entry for each baseline, if there is a curve with copies to hold it against."""
    curves = {curve.key: curve for curve in series}
    total = curves.get(SeriesKey.TOTAL)
    if total is None or not _medians(total):
        return ()
    return tuple(
        _between(curves[key], total) for key in BASELINES if key in curves and _medians(curves[key])
    )


def _between(baseline: Series, total: Series) -> BreakEven:
    """Where medians cross, and where the ends of their intervals do: slow against fast, and back.

    The interval of a median is its 95 % one; for fewer than six samples it is their whole range.
    """
    slow, fast = _ends(baseline, 1), _ends(baseline, 0)
    return BreakEven(
        baseline=baseline.label,
        size=crossing(_medians(baseline), _medians(total)),
        low=crossing(slow, _ends(total, 0)),
        high=crossing(fast, _ends(total, 1)),
    )


def crossing(baseline: dict[int, float], gpu: dict[int, float]) -> float | None:
    """Size from which the GPU stays ahead, to the largest size that both have.

    Between two sizes it is interpolated on logarithmic axes, where both curves are nearly straight.
    None if the GPU is behind at the largest size; the smallest size if it is never behind.
    """
    sizes = sorted(baseline.keys() & gpu.keys())
    if not sizes or gpu[sizes[-1]] > baseline[sizes[-1]]:
        return None
    behind = [place for place, size in enumerate(sizes) if gpu[size] > baseline[size]]
    if not behind:
        return float(sizes[0])
    low, high = sizes[behind[-1]], sizes[behind[-1] + 1]
    before = math.log(gpu[low] / baseline[low])
    after = math.log(gpu[high] / baseline[high])
    share = before / (before - after)
    return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))


def _medians(series: Series) -> dict[int, float]:
    return {
        point.size: point.samples.median_s for point in series.points if point.samples is not None
    }


def _ends(series: Series, end: int) -> dict[int, float]:
    """Lower (0) or upper (1) ends of the medians' intervals by size."""
    return {
        point.size: (
            median_interval(point.samples.seconds) or (point.samples.min_s, point.samples.max_s)
        )[end]
        for point in series.points
        if point.samples is not None
    }
