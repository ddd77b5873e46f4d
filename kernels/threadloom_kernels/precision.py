# SPDX-License-Identifier: MIT
"""How far two right answers may lie apart, from the length of the sums and the type's eps."""

from __future__ import annotations

import math

import numpy as np


def rounding(steps: float, dtype: np.dtype[np.generic]) -> float:
    """Allow so many roundings, each of at most one eps of the largest result."""
    return steps * float(np.finfo(str(dtype)).eps)


def accumulated(length: int, dtype: np.dtype[np.generic], extra: float = 2) -> float:
    """Allow for a sum of ``length`` terms in any order: ``(2 √length + extra) · eps``.

    Rounding errors of a sum are as good as independent, so they grow with the square root of its
    length: N. J. Higham and T. Mary, "A New Approach to Probabilistic Rounding Error Analysis",
    SIAM J. Sci. Comput. 41 (2019). The worst case, ``length · eps``, would let wrong kernels pass.
    ``extra`` is for what comes before and after the sum.
    """
    return rounding(2 * math.sqrt(length) + extra, dtype)
