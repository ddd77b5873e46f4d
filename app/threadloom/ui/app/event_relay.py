# SPDX-License-Identifier: MIT
"""Hands the worker's events on; made before the window is, so that the child starts early."""

from __future__ import annotations

from collections.abc import Callable

from threadloom.worker.event import Event


class EventRelay:
    """A callable for the supervisor. Nothing is submitted before it is joined, so none is lost."""

    def __init__(self) -> None:
        self._target: Callable[[Event], None] | None = None

    def join(self, target: Callable[[Event], None]) -> None:
        """Hand every later event to this."""
        self._target = target

    def leave(self) -> None:
        """Drop every later event: nobody is there to take it."""
        self._target = None

    def __call__(self, event: Event) -> None:
        """Hand one event on; on the supervisor's thread."""
        if self._target is not None:
            self._target(event)
