# SPDX-License-Identifier: MIT
"""How much of a cell is drawn at its size on screen, with a dead zone so that nothing flickers."""

from __future__ import annotations

GAPS, WIDE_GAPS, VALUES, INDICES = 1, 2, 3, 4
"""Levels of detail; 0 is flat, without gaps."""
LIMITS = (4.0, 12.0, 18.0, 36.0)
"""Device-independent pixels of a cell from which on there are gaps, wide gaps, values, indices."""
_DEAD_ZONE = 0.9


def detail_of(size: float, before: int = 0) -> int:
    """Level for cells of a size; one that was there ``before`` stays down to 90 % of its limit."""
    detail = sum(size >= limit for limit in LIMITS)
    while detail < min(before, len(LIMITS)) and size >= _DEAD_ZONE * LIMITS[detail]:
        detail += 1
    return detail
