# SPDX-License-Identifier: MIT
"""Leave out what no pixel could show: a plot is slow with many times more points than pixels."""

from __future__ import annotations

import numpy as np

from threadloom.model.array import Array


def decimate(x: Array, y: Array, most: int) -> tuple[Array, Array]:
    """Keep the lowest and the highest of each stretch of sorted points, ``most`` in all or fewer.

    Peaks stay visible, which taking every n-th point would lose. The ends are always kept.
    """
    if len(x) <= max(most, 4):
        return x, y
    stretches = np.array_split(np.arange(len(x)), max(1, most // 2 - 1))
    kept = {0, len(x) - 1}
    for places in stretches:
        values = y[places]
        kept |= {int(places[values.argmin()]), int(places[values.argmax()])}
    chosen = np.array(sorted(kept))
    return x[chosen], y[chosen]
