# SPDX-License-Identifier: MIT
"""How long a request may run, by the wall clock or by the processor time of its process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from threadloom.worker.processor_time import ProcessorTime

WALL_FACTOR = 6
"""A limit of processor time has one of so many times as much wall-clock time behind it."""
LEAST_WALL_S = 30.0
"""That limit is at least so much later."""
LEAST_PAUSE_S = 0.02
"""At least so long between two readings of the processor time."""


class Clock(Enum):
    """What a time limit counts."""

    WALL = auto()
    PROCESSOR = auto()
    """Processor time of the child, see `ProcessorTime.since`."""


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """How long a request may run.

    On an idle machine, a process that computes reaches a limit of processor time as soon as one of
    wall-clock time; on a loaded one it gets more. One that waits idly ends at `wall_s`.
    """

    seconds: float
    clock: Clock = Clock.WALL
    grace_s: float = 0.0
    """Added to it before the child is killed, so that it can say itself what took so long."""

    @property
    def wall_s(self) -> float:
        """Wall-clock time after which it is exceeded in any case, without the grace period."""
        if self.clock is Clock.WALL:
            return self.seconds
        return max(WALL_FACTOR * self.seconds, self.seconds + LEAST_WALL_S)


class LimitWatch:
    """Applies a limit to a process, from when it is made."""

    def __init__(
        self,
        limit: TimeLimit,
        read: Callable[[], ProcessorTime],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start counting; ``read`` gives the processor time of the process."""
        self._limit, self._read, self._now = limit, read, now
        self._start = now()
        self._wall_end = self._start + limit.wall_s + limit.grace_s
        self._before = read() if limit.clock is Clock.PROCESSOR else None
        self.next_check = self._start + min(limit.seconds, limit.wall_s) + limit.grace_s
        """When to call `exceeded`; no limit is exceeded before that."""

    def exceeded(self) -> TimeLimit | None:
        """The limit that is exceeded now, with the clock that says so."""
        now = self._now()
        if now < self.next_check:
            return None
        if self._before is not None:
            used = self._read().since(self._before)
            left = self._limit.seconds + self._limit.grace_s - used
            if left <= 0:
                return self._limit
            self.next_check = min(now + max(left, LEAST_PAUSE_S), self._wall_end)
        if now >= self._wall_end:
            return replace(self._limit, seconds=self._limit.wall_s, clock=Clock.WALL)
        return None
