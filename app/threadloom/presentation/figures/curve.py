# SPDX-License-Identifier: MIT
"""A series as curves: sizes, medians and ranges, and where it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from threadloom.model.array import Array
from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Series
from threadloom.presentation.figures.percentile_range import percentile_range
from threadloom.presentation.figures.series_style import STYLES, SeriesStyle, ordered, short_names

RESOLUTION_S = 1e-9
"""Times are not drawn below this: zero has no place on a logarithmic axis."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """What is drawn of one series. All arrays have one length."""

    series: Series
    style: SeriesStyle
    name: str
    size: Array
    """float64"""
    median_s: Array
    low_s: Array
    """Where most samples begin."""
    high_s: Array
    """Where most samples end."""
    below: Array
    """bool, where the median is less than the clock can tell: the point lies at its step."""
    note: str
    """Why it stops early; empty if it does not."""

    @property
    def provenance(self) -> Provenance:
        """Where the figures come from."""
        return self.series.provenance

    @property
    def has_range(self) -> bool:
        """Whether any point has more than one sample."""
        return bool(np.any(self.high_s > self.low_s))

    def at(self, size: float) -> float | None:
        """Time at a size, interpolated between points on the logarithmic scales."""
        if not self.size.size or not self.size[0] <= size <= self.size[-1]:
            return None
        logs = np.interp(np.log(size), np.log(self.size), np.log(self.median_s))
        return float(np.exp(logs))


def curves(series: Sequence[Series]) -> list[Curve]:
    """Curves of all series that have a point, in the order in which they are shown."""
    sorted_series = ordered(series)
    names = short_names(sorted_series)
    made = [_curve(one, name) for one, name in zip(sorted_series, names, strict=True)]
    return [curve for curve in made if curve.size.size]


def _curve(series: Series, name: str) -> Curve:
    points = [(p.size, p.samples) for p in series.points if p.samples is not None]
    skipped = [p.skipped for p in series.points if p.samples is None and p.skipped]

    def column(values: list[float]) -> Array:
        return np.maximum(np.array(values, dtype=np.float64), RESOLUTION_S)

    return Curve(
        series=series,
        style=STYLES[series.key],
        name=name,
        size=np.array([size for size, _samples in points], dtype=np.float64),
        median_s=column(
            [max(samples.median_s, samples.timer_resolution_s) for _size, samples in points]
        ),
        below=np.array([samples.below_resolution for _size, samples in points], dtype=bool),
        low_s=column([max(percentile_range(s)[0], s.timer_resolution_s) for _size, s in points]),
        high_s=column([max(percentile_range(s)[1], s.timer_resolution_s) for _size, s in points]),
        note=str(skipped[0] if skipped else ""),
    )


def bounds(shown: Sequence[Curve]) -> tuple[float, float, float, float] | None:
    """Smallest and largest size, shortest and longest time; None without a point."""
    if not shown:
        return None
    sizes = np.concatenate([curve.size for curve in shown])
    low = min(float(curve.low_s.min()) for curve in shown)
    high = max(float(curve.high_s.max()) for curve in shown)
    return float(sizes.min()), float(sizes.max()), low, high


def swept_sizes(series: Sequence[Series]) -> list[int]:
    """Every size of the sweep, skipped ones too."""
    return sorted({point.size for one in series for point in one.points})
