# SPDX-License-Identifier: MIT
"""A measured time in words."""

from __future__ import annotations

from threadloom.model.timing.samples import Samples
from threadloom.text import _, duration


def time_words(samples: Samples) -> str:
    """The median, or less than what the clock can tell: "5.4 µs", "< 500 ns"."""
    if samples.below_step:
        return _("< {step}").format(step=duration(samples.step_s))
    return duration(samples.median_s)
