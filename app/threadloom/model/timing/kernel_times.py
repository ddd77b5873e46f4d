# SPDX-License-Identifier: MIT
"""Every way in which a kernel was timed on a GPU, by name."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.timing.rates import Rates
from threadloom.model.timing.samples import Samples


@dataclass(frozen=True, slots=True)
class KernelTimes:
    """Times of one kernel, and what they mean against the device's peaks."""

    warm: Samples
    """Launches back to back, without the host's help."""
    warm_rates: Rates
    cold: Samples | None = None
    """One launch after the caches were flushed."""
    cold_rates: Rates | None = None
    in_stream: Samples | None = None
    """Launches queued one by one on a stream."""
    empty: Samples | None = None
    """A kernel that does nothing, timed like `warm`."""
    empty_cold: Samples | None = None
    """The same, timed like `cold`."""

    @property
    def launch_s(self) -> float | None:
        """What a launch in a stream costs beyond the kernel, in seconds."""
        return None if self.in_stream is None else self.in_stream.median_s - self.warm.median_s
