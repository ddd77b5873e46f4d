# SPDX-License-Identifier: MIT
"""Move labels apart until none lies on another."""

from __future__ import annotations

from collections.abc import Sequence


def spread_labels(wanted: Sequence[float], pitch: float, low: float, high: float) -> list[float]:
    """Places at least ``pitch`` apart, in the order of the wanted ones and as near as they allow.

    Labels that would meet become a group, which stands around the mean of what its members want.
    The whole stays within ``low`` to ``high`` where that has the room.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[int]] = []
    for index in order:
        groups.append([index])
        while len(groups) > 1 and _meet(groups[-2], groups[-1], wanted, pitch, low, high):
            last = groups.pop()
            groups[-1] += last
    places = [0.0] * len(wanted)
    for group in groups:
        first = _first(group, wanted, pitch, low, high)
        for step, index in enumerate(group):
            places[index] = first + step * pitch
    return places


def _first(
    group: list[int], wanted: Sequence[float], pitch: float, low: float, high: float
) -> float:
    """Place of a group's first label."""
    span = (len(group) - 1) * pitch
    mean = sum(wanted[index] for index in group) / len(group)
    return max(low, min(mean - span / 2, high - span))


def _meet(
    above: list[int],
    below: list[int],
    wanted: Sequence[float],
    pitch: float,
    low: float,
    high: float,
) -> bool:
    end = _first(above, wanted, pitch, low, high) + (len(above) - 1) * pitch
    return _first(below, wanted, pitch, low, high) - end < pitch - 1e-9
