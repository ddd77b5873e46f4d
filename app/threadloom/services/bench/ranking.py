# SPDX-License-Identifier: MIT
"""How one launch of a sweep stands to the fastest one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from threadloom.model.provenance import Provenance
from threadloom.model.timing.speedup import SpeedupOutcome, speedup
from threadloom.services.messages.launch_sweep import LaunchPoint

SAME = 1e-9
"""Modeled times are exact: only such a share of rounding is no difference."""


class Rank(StrEnum):
    """What can be said of a launch among others."""

    FASTEST = "fastest"
    """The shortest median that was measured."""
    TIE = "tie"
    """Measured, and not to be told from the fastest."""
    SLOWER = "slower"
    """Measured, and slower than the fastest."""
    LEAST = "least"
    """The model's shortest time, perhaps with others; a model has no winner."""
    OTHER = "other"
    """Modeled as longer, or without a time."""


def rank(point: LaunchPoint, points: Sequence[LaunchPoint]) -> Rank:
    """How a point stands among all of its sweep; measured ones are compared with measured ones."""
    alike = [p for p in points if p.provenance is point.provenance and p.samples is not None]
    if point.samples is None:
        return Rank.OTHER
    fastest = min(alike, key=_median_s)
    if point.provenance is not Provenance.MEASURED:
        least = _median_s(point) <= _median_s(fastest) * (1 + SAME)
        return Rank.LEAST if least else Rank.OTHER
    if point is fastest or fastest.samples is None:
        return Rank.FASTEST
    slower = speedup(point.samples, fastest.samples).outcome is SpeedupOutcome.SLOWER
    return Rank.SLOWER if slower else Rank.TIE


def _median_s(point: LaunchPoint) -> float:
    return float("inf") if point.samples is None else point.samples.median_s
