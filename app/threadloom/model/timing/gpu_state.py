# SPDX-License-Identifier: MIT
"""The state of a GPU while samples were taken: clocks, temperature, throttling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GpuState:
    """The state at one moment; figures that could not be read are None."""

    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    throttling: tuple[str, ...] = ()
    """Why the clocks are throttled, empty if they are not."""


@dataclass(frozen=True, slots=True)
class GpuStates:
    """Every state that was read from the first sample to the last."""

    states: tuple[GpuState, ...]

    @property
    def sm_clock_mhz(self) -> tuple[int, int] | None:
        """Lowest and highest clock of the SMs, None if it was never read."""
        return _range(state.sm_clock_mhz for state in self.states)

    @property
    def temperature_c(self) -> tuple[int, int] | None:
        """Lowest and highest temperature, None if it was never read."""
        return _range(state.temperature_c for state in self.states)

    @property
    def throttling(self) -> tuple[str, ...]:
        """Every reason for throttling that was seen, in the order of appearance."""
        return tuple(dict.fromkeys(why for one in self.states for why in one.throttling))


def _range(values: Iterable[int | None]) -> tuple[int, int] | None:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else None
