# SPDX-License-Identifier: MIT
"""By how much a figure is over its limit, in the same words wherever it is told."""

from __future__ import annotations

from threadloom.text import _, count, significant


def over_words(asked: float, allowed: float) -> str:
    """Such as ``488 times the limit``; a figure just above it keeps two digits."""
    times = asked / allowed
    return _("{times}× the limit").format(
        times=count(times) if times >= 10 else significant(times, 2)
    )
