# SPDX-License-Identifier: MIT
"""A sweep that several GPUs share, each with a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, cast

from threadloom.services.bench.sharding import (
    AnyProgress,
    AnyResult,
    AnySweep,
    dealt,
    progress_together,
    together,
)
from threadloom.services.devices.memory import limit_bytes
from threadloom.services.worker_entry import handle
from threadloom.worker.event import Event
from threadloom.worker.team import Team

OnEvent = Callable[[Event], None]


class Shared(Protocol):
    """A request that is being answered by several children."""

    def cancel(self) -> None:
        """Ask all of them to stop."""
        ...

    def close(self) -> None:
        """End all of them."""
        ...


StartTeam = Callable[[AnySweep, Sequence[int], int, float, OnEvent], Shared]
"""Begins a sweep on these GPUs, with a number for its events and a limit in seconds."""


class SweepJoining:
    """Makes one sweep of those that the GPUs make."""

    def __init__(self, request: AnySweep) -> None:
        self._request = request

    def progress(self, told: Sequence[object]) -> object | None:
        """All points so far."""
        return progress_together(self._request, cast("Sequence[AnyProgress]", told))

    def result(self, results: Sequence[object]) -> object:
        """All points."""
        return together(self._request, cast("Sequence[AnyResult]", results))


def start_team(
    request: AnySweep, devices: Sequence[int], number: int, deadline_s: float, on_event: OnEvent
) -> Shared:
    """Have each GPU time its share."""
    return Team(
        handle,
        dealt(request, devices),
        SweepJoining(request),
        number,
        on_event,
        deadline_s=deadline_s,
        memory_bytes=limit_bytes(),
    )


class MultiGpuSweep:
    """At most one shared sweep at a time."""

    def __init__(self, on_event: OnEvent, start: StartTeam = start_team) -> None:
        self._on_event, self._start = on_event, start
        self._team: Shared | None = None
        self._begun = 0

    @property
    def active(self) -> bool:
        """Whether a team is at work."""
        return self._team is not None

    def begin(self, request: AnySweep, devices: Sequence[int], deadline_s: float) -> int:
        """Begin a sweep; its number is below zero, so that it is no other request's."""
        self.end()
        self._begun += 1
        self._team = self._start(request, devices, -self._begun, deadline_s, self._on_event)
        return -self._begun

    def cancel(self) -> None:
        """Ask the team to stop and to tell what it has."""
        if self._team is not None:
            self._team.cancel()

    def end(self) -> None:
        """Let the team go."""
        if self._team is not None:
            self._team.close()
            self._team = None
