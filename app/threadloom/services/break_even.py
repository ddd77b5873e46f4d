# SPDX-License-Identifier: MIT
"""From which size on a GPU, copies counted, is faster than a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterable

from threadloom.model.samples import Series, SeriesKey
from threadloom.services.request import BreakEven

BASELINES = (SeriesKey.C_LOOP, SeriesKey.NUMPY)


def break_even(series: Iterable[Series]) -> tuple[BreakEven, ...]:
    """One entry for each baseline, if there is a curve with copies to hold it against."""
    curves = {curve.key: curve for curve in series}
    total = curves.get(SeriesKey.TOTAL)
    if total is None or not _medians(total):
        return ()
    return tuple(
        BreakEven(curves[key].label, crossing(_medians(curves[key]), _medians(total)))
        for key in BASELINES
        if key in curves and _medians(curves[key])
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
