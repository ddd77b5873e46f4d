# SPDX-License-Identifier: MIT
"""The 95 % confidence interval of the median of timing samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import median

CONFIDENCE = 0.95
MIN_SAMPLES = 6
"""With fewer, even the whole range holds the median in less than 95 % of cases: with n samples
it does in 1 - 2 / 2**n."""


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Interval that holds the true median with at least 95 % confidence; None for too few values.

    By order statistics (Conover, "Practical Nonparametric Statistics", section 3.2): no matter how
    the values are distributed, each lies below the true median with probability 1/2, so that the
    number of those below is binomial. It takes `MIN_SAMPLES` values.
    """
    ordered, count = sorted(values), len(values)
    rank = trimmed_rank(count)
    return None if rank is None else (ordered[rank], ordered[count - 1 - rank])


def relative_half_width(values: Sequence[float]) -> float | None:
    """Distance from the median to the farther end of its interval, as a share of the median.

    None for too few values; inf where the median is not positive.
    """
    found = median_interval(values)
    if found is None:
        return None
    middle = median(values)
    return max(found[1] - middle, middle - found[0]) / middle if middle > 0 else math.inf


@lru_cache(maxsize=1024)
def trimmed_rank(count: int) -> int | None:
    """Largest number of values to leave out at each end; None for too few values."""
    rank, below = None, 0
    for candidate in range((count + 1) // 2):
        below += math.comb(count, candidate)
        if 2 * below > (1 - CONFIDENCE) * 2**count:
            break
        rank = candidate
    return rank
