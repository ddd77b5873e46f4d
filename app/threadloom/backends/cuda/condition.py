# SPDX-License-Identifier: MIT
"""Watches a GPU's clocks, temperature and throttling while it is being timed."""

from __future__ import annotations

from collections.abc import Callable

from threadloom.model.timing.gpu_state import Conditions, Reading


class ConditionWatch:
    """Takes readings and keeps them. Without a way to read, it keeps none and sees nothing."""

    def __init__(self, read: Callable[[], Reading] | None) -> None:
        self._read = read
        self._readings: list[Reading] = []

    def begin(self) -> bool:
        """Forget what was read and read anew; whether the clocks are held down."""
        self._readings = []
        return self.is_throttled()

    def is_throttled(self) -> bool:
        """Read, and say whether the clocks are held down now."""
        if self._read is None:
            return False
        reading = self._read()
        self._readings.append(reading)
        return bool(reading.throttling)

    def conditions(self) -> Conditions | None:
        """All readings since `begin`; None if there are none."""
        return Conditions(tuple(self._readings)) if self._readings else None
