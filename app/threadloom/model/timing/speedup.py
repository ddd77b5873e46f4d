# SPDX-License-Identifier: MIT
"""Whether one measurement is faster than another, a tie, or inconclusive."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.timing.confidence_interval import median_interval
from threadloom.model.timing.samples import Samples

EQUIVALENCE_MARGIN = 0.02
"""Two runs of the same kernel differ by up to this share: such a difference is a tie."""


class SpeedupOutcome(StrEnum):
    """Result of the comparison of one measurement with another."""

    FASTER = "faster"
    TIE = "tie"
    SLOWER = "slower"
    INCONCLUSIVE = "inconclusive"
    """Too few samples, or too noisy."""


@dataclass(frozen=True, slots=True)
class Speedup:
    """One measurement compared with another one."""

    outcome: SpeedupOutcome
    """Of the first, against the second."""
    time_ratio: float
    """Median of the first as a multiple of the second's."""
    low: float | None
    """Lower bound of the ratio; None if there are too few samples."""
    high: float | None
    """Upper bound of the ratio."""


def speedup(one: Samples, other: Samples) -> Speedup:
    """Compare two measurements of the same work.

    The medians' ratio lies between those of the ends of their 95 % intervals. The outcome is
    *faster* or *slower* if all of that range is beyond `EQUIVALENCE_MARGIN`, *tie* if all of it is
    within. Cold and warm measurements are not of the same work, whatever their times.

    Raises:
        ValueError: If one is cold and the other warm.
    """
    if one.cold != other.cold:
        raise ValueError("one was measured with cold caches, the other with warm ones")
    ratio = one.median_s / other.median_s
    ours, theirs = median_interval(one.seconds), median_interval(other.seconds)
    if ours is None or theirs is None:
        return Speedup(SpeedupOutcome.INCONCLUSIVE, ratio, None, None)
    low, high = ours[0] / theirs[1], ours[1] / theirs[0]
    return Speedup(_outcome(low, high), ratio, low, high)


def _outcome(low: float, high: float) -> SpeedupOutcome:
    if high < 1 - EQUIVALENCE_MARGIN:
        return SpeedupOutcome.FASTER
    if low > 1 + EQUIVALENCE_MARGIN:
        return SpeedupOutcome.SLOWER
    if low >= 1 - EQUIVALENCE_MARGIN and high <= 1 + EQUIVALENCE_MARGIN:
        return SpeedupOutcome.TIE
    return SpeedupOutcome.INCONCLUSIVE
