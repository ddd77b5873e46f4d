# SPDX-License-Identifier: MIT
"""Between which values the true median of timing samples lies."""

from __future__ import annotations

import math
from collections.abc import Sequence

CONFIDENCE = 0.95


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Interval that holds the true median with at least 95 % confidence; None for too few values.

    By order statistics (Conover, "Practical Nonparametric Statistics", section 3.2): no matter how
    the values are distributed, each lies below the true median with probability 1/2, so that the
    number of those below is binomial. It takes six values at least.
    """
    ordered, count = sorted(values), len(values)
    rank = _rank(count)
    return None if rank is None else (ordered[rank], ordered[count - 1 - rank])


def _rank(count: int) -> int | None:
    """Largest number of values to leave out at each end."""
    outside, found = 0.0, None
    for rank in range((count + 1) // 2):
        outside += 2 * math.exp(
            math.lgamma(count + 1)
            - math.lgamma(rank + 1)
            - math.lgamma(count - rank + 1)
            - count * math.log(2)
        )
        if outside > 1 - CONFIDENCE:
            break
        found = rank
    return found
