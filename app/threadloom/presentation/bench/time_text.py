# SPDX-License-Identifier: MIT
"""A measured time in words, and how precisely its median is known."""

from __future__ import annotations

import math
from collections.abc import Sequence

from threadloom.model.timing.confidence_interval import MIN_SAMPLES
from threadloom.model.timing.samples import RELATIVE_TARGET, Samples
from threadloom.text import _, count, duration, ngettext, percent


def time_words(samples: Samples) -> str:
    """The median, or less than the timer's resolution: "5.4 µs", "< 500 ns"."""
    if samples.below_resolution:
        return _("< {resolution}").format(resolution=duration(samples.timer_resolution_s))
    return duration(samples.median_s)


def convergence_words(samples: Samples) -> str:
    """Such as "converged to ±1.2 %" or "did not converge (±3.4 %)", by the 95 % interval."""
    taken, reached = len(samples.seconds), samples.relative_half_width
    if taken < 2:
        return _("one sample, no interval")
    if reached is None:
        return _("did not converge (a 95 % interval needs {n} samples)").format(n=MIN_SAMPLES)
    if not math.isfinite(reached):
        return _("did not converge")
    share = percent(reached, 2)
    if samples.converged:
        return _("converged to ±{share}").format(share=share)
    return _("did not converge (±{share})").format(share=share)


def sweep_convergence_words(taken: Sequence[Samples]) -> str:
    """Such as "converged to ±2 % at 5 of 6 points, 3 samples discarded (throttling)"."""
    converged = sum(one.converged for one in taken)
    discarded = sum(one.dropped for one in taken)
    text = ngettext(
        "converged to ±{share} at {converged} of {n} point",
        "converged to ±{share} at {converged} of {n} points",
        len(taken),
    )
    if discarded:
        text = ngettext(
            "converged to ±{share} at {converged} of {n} point, "
            "{discarded} samples discarded (throttling)",
            "converged to ±{share} at {converged} of {n} points, "
            "{discarded} samples discarded (throttling)",
            len(taken),
        )
    return text.format(
        share=percent(RELATIVE_TARGET),
        converged=count(converged),
        n=count(len(taken)),
        discarded=count(discarded),
    )
