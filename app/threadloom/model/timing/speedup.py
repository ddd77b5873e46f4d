# SPDX-License-Identifier: MIT
"""Whether one measurement is faster than another, the same, or whether that cannot be told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.timing.confidence_interval import median_interval
from threadloom.model.timing.samples import Samples

TIE = 0.02
"""Two runs of the same kernel differ by up to so much: such a difference is no difference."""


class Pace(StrEnum):
    """How one measurement stands to another."""

    FASTER = "faster"
    SAME = "same"
    SLOWER = "slower"
    UNKNOWN = "unknown"
    """The samples do not tell: too few, or too far apart."""


@dataclass(frozen=True, slots=True)
class PaceComparison:
    """One measurement held against another one."""

    pace: Pace
    """Of the first, against the second."""
    ratio: float
    """Median of the first as a multiple of the second's."""
    low: float | None
    """Least that the ratio may be; None if there are too few samples to say."""
    high: float | None
    """Most that it may be."""


def compare_pace(one: Samples, other: Samples) -> PaceComparison:
    """Hold two measurements of the same work against each other.

    The medians' ratio lies between those of the ends of their 95 % intervals. *Faster* and *slower*
    are said if it is beyond `TIE` all of the way, *same* if it is within it all of the way. Cold
    and warm measurements are not of the same work, whatever their times.

    Raises:
        ValueError: If one is cold and the other warm.
    """
    if one.cold != other.cold:
        raise ValueError("one was measured with cold caches, the other with warm ones")
    ratio = one.median_s / other.median_s
    ours, theirs = median_interval(one.seconds), median_interval(other.seconds)
    if ours is None or theirs is None:
        return PaceComparison(Pace.UNKNOWN, ratio, None, None)
    low, high = ours[0] / theirs[1], ours[1] / theirs[0]
    return PaceComparison(_pace(low, high), ratio, low, high)


def _pace(low: float, high: float) -> Pace:
    if high < 1 - TIE:
        return Pace.FASTER
    if low > 1 + TIE:
        return Pace.SLOWER
    if low >= 1 - TIE and high <= 1 + TIE:
        return Pace.SAME
    return Pace.UNKNOWN
