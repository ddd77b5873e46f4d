# SPDX-License-Identifier: MIT
"""The range that most samples of a time lie in."""

from __future__ import annotations

import numpy as np

from threadloom.model.timing.samples import Samples

SHARE = 0.8
"""Share of the samples that lie in the range."""


def percentile_range(samples: Samples) -> tuple[float, float]:
    """The middle 80 % of the samples, in seconds, interpolated between two of them.

    The shortest and the longest of many samples say more about what else the computer did than
    about what was timed: one interruption by the system is longer than many a kernel.
    """
    outliers = (1 - SHARE) / 2
    low, high = np.quantile(samples.seconds, [outliers, 1 - outliers])
    return float(low), float(high)
