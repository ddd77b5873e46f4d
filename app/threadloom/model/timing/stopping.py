# SPDX-License-Identifier: MIT
"""When a measurement has enough samples."""

from __future__ import annotations

import math

from threadloom.model.timing.samples import Samples, StopRule

NORMAL_95 = 1.96
"""Half-width of a 95 % interval in standard errors."""


class Stopping:
    """Takes samples and says when the rule is content.

    It keeps running sums, so that asking after each sample costs nothing. Raw samples stay.
    """

    def __init__(self, rule: StopRule) -> None:
        self.rule = rule
        self.seconds: list[float] = []
        self._mean = 0.0
        self._squares = 0.0

    def add(self, seconds: float) -> None:
        """Take one sample."""
        self.seconds.append(seconds)
        off = seconds - self._mean
        self._mean += off / len(self.seconds)
        self._squares += off * (seconds - self._mean)

    @property
    def relative_error(self) -> float:
        """Half-width of the mean's 95 % confidence interval as a share of the mean; inf for one."""
        count = len(self.seconds)
        if count < 2 or self._mean <= 0:
            return math.inf
        return NORMAL_95 * math.sqrt(self._squares / (count - 1) / count) / self._mean

    @property
    def met(self) -> bool:
        """Whether there are enough samples and they are precise enough."""
        enough = len(self.seconds) >= self.rule.least
        return enough and self.relative_error <= self.rule.relative_error

    def finished(self, elapsed_s: float) -> bool:
        """Whether to stop: content, at the most samples, or (with one sample) out of time."""
        count = len(self.seconds)
        return (
            self.met
            or count >= self.rule.most
            or (count >= 1 and elapsed_s >= self.rule.time_limit_s)
        )

    def samples(self, *, cold: bool = False) -> Samples:
        """All samples so far, with whether the rule was met."""
        return Samples(tuple(self.seconds), rule_met=self.met, cold=cold)
