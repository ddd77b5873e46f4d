# SPDX-License-Identifier: MIT
"""When a measurement has enough samples."""

from __future__ import annotations

from threadloom.model.timing.confidence_interval import MIN_SAMPLES, relative_half_width
from threadloom.model.timing.samples import Samples, StoppingCriterion

GROWTH = 2
"""From one check of the criterion to the next the number of samples grows by this factor. Checked
after each sample, it would stop at the first interval that is narrow by chance: of 3 % normal noise
(9 to 60 samples) 93.8 % of the intervals then hold the true median, with this factor 95.1 %."""


def checks(criterion: StoppingCriterion) -> tuple[int, ...]:
    """Numbers of samples at which the criterion is checked; the last one is the maximum."""
    count, found = max(criterion.min_samples, MIN_SAMPLES), []
    while count < criterion.max_samples:
        found.append(count)
        count *= GROWTH
    return (*found, criterion.max_samples)


class SampleCollector:
    """Takes samples and checks the stopping criterion at a few numbers of them."""

    def __init__(self, criterion: StoppingCriterion) -> None:
        self.criterion = criterion
        self.seconds: list[float] = []
        self._checks = checks(criterion)
        self._next = 0
        self._converged_at_check = False

    def add(self, seconds: float) -> None:
        """Take one sample."""
        self.seconds.append(seconds)
        if self._next < len(self._checks) and len(self.seconds) == self._checks[self._next]:
            self._converged_at_check = self.converged
            self._next += 1

    @property
    def until_check(self) -> int:
        """Samples that are missing to the next check; 0 after the last one."""
        if self._next == len(self._checks):
            return 0
        return self._checks[self._next] - len(self.seconds)

    @property
    def relative_half_width(self) -> float | None:
        """Half-width of the median's 95 % confidence interval; None for too few samples."""
        return relative_half_width(self.seconds)

    @property
    def converged(self) -> bool:
        """Whether there are enough samples and their median is known precisely enough."""
        reached = self.relative_half_width
        enough = len(self.seconds) >= self.criterion.min_samples
        return enough and reached is not None and reached <= self.criterion.relative_target

    def finished(self, elapsed_s: float) -> bool:
        """Whether to stop: converged, at the maximum, or (with one sample) out of time."""
        count = len(self.seconds)
        return (
            self._converged_at_check
            or count >= self.criterion.max_samples
            or (count >= 1 and elapsed_s >= self.criterion.time_limit_s)
        )

    def samples(self, *, cold: bool = False) -> Samples:
        """All samples so far, with whether they converged."""
        return Samples(tuple(self.seconds), converged=self.converged, cold=cold)
