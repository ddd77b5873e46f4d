# SPDX-License-Identifier: MIT
"""Monitors a GPU's clocks, temperature and throttling while it is being timed."""

from __future__ import annotations

from collections.abc import Callable

from threadloom.model.timing.gpu_state import GpuState, GpuStates


class GpuStateMonitor:
    """Reads the state and keeps it. Without a way to read, it keeps nothing."""

    def __init__(self, read: Callable[[], GpuState] | None) -> None:
        self._read = read
        self._states: list[GpuState] = []

    def begin(self) -> bool:
        """Forget the states and read anew; whether the GPU is throttled."""
        self._states = []
        return self.is_throttled()

    def is_throttled(self) -> bool:
        """Read the state, and return whether the GPU is throttled now."""
        if self._read is None:
            return False
        state = self._read()
        self._states.append(state)
        return bool(state.throttling)

    def states(self) -> GpuStates | None:
        """All states since `begin`; None if there are none."""
        return GpuStates(tuple(self._states)) if self._states else None
