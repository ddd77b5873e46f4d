# SPDX-License-Identifier: MIT
"""Several children that answer the parts of one request, told of as one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import Outcome
from threadloom.worker.protocol import Handler
from threadloom.worker.supervisor import Supervisor


class Joining(Protocol):
    """Makes one message or result of those of the parts."""

    def progress(self, told: Sequence[object]) -> object | None:
        """The parts' last messages as one; None if they come to nothing yet."""
        ...

    def result(self, results: Sequence[object]) -> object:
        """The parts' results, in their order, as one."""
        ...


class Team:
    """Handles one request in parts, each in a child of its own, for callers that do not wait.

    Events come with the number of the whole request, one at a time, from the children's listening
    threads. If one part fails, the others are stopped and the whole fails.
    """

    def __init__(
        self,
        handler: Handler,
        parts: Sequence[object],
        joining: Joining,
        number: int,
        on_event: Callable[[Event], None],
        *,
        deadline_s: float,
        memory_bytes: int | None = None,
        grace_s: float = 15.0,
    ) -> None:
        """Begin at once; a part that is to stop may take ``grace_s`` to end what it has in hand."""
        self._joining, self._number, self._on_event = joining, number, on_event
        self._lock = threading.Lock()
        self._told: dict[int, object] = {}
        self._results: dict[int, object] = {}
        self._ended = False
        self._members = [
            Supervisor(
                handler,
                on_event=partial(self._hear, place),
                memory_bytes=memory_bytes,
                spare=False,
                grace_s=grace_s,
            )
            for place in range(len(parts))
        ]
        for member, part in zip(self._members, parts, strict=True):
            member.submit(part, deadline_s=deadline_s)

    def cancel(self) -> None:
        """Ask every part to stop; what they have by then is the result."""
        for member in self._members:
            member.cancel()

    def close(self) -> None:
        """End the children; no event comes after this. May be called twice."""
        with self._lock:
            self._ended = True
        for member in self._members:
            member.close()

    def _hear(self, place: int, event: Event) -> None:
        with self._lock:
            if self._ended:
                return
            if isinstance(event, Progressed):
                self._note(place, event.message)
            elif isinstance(event, Finished):
                self._take(place, event.result)
            elif isinstance(event, Failed):
                self._fail(event.outcome)

    def _note(self, place: int, message: object) -> None:
        self._told[place] = message
        whole = self._joining.progress([self._told[one] for one in sorted(self._told)])
        if whole is not None:
            self._on_event(Progressed(self._number, whole))

    def _take(self, place: int, result: object) -> None:
        self._results[place] = result
        if len(self._results) == len(self._members):
            self._ended = True
            ordered = [self._results[one] for one in sorted(self._results)]
            self._on_event(Finished(self._number, self._joining.result(ordered)))

    def _fail(self, outcome: Outcome) -> None:
        self._ended = True
        self._on_event(Failed(self._number, outcome))
        for member in self._members:
            member.cancel()
