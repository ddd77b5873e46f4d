# SPDX-License-Identifier: MIT
"""One request in shards, each in a child of its own, with events as of one request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import Outcome
from threadloom.worker.protocol import Handler
from threadloom.worker.supervisor import GRACE_S, Supervisor
from threadloom.worker.time_limit import TimeLimit


class Merge(Protocol):
    """Makes one message or result of those of the shards."""

    def progress(self, messages: Sequence[object]) -> object | None:
        """The shards' last messages as one; None if they come to nothing yet."""
        ...

    def result(self, results: Sequence[object]) -> object:
        """The shards' results, in their order, as one."""
        ...


class ShardedRequest:
    """Handles the shards of one request, for a caller that does not wait.

    Events carry the number of the whole request and come one at a time, from the children's
    listening threads. If one shard fails, the others are stopped and the whole fails. The children
    end by themselves after the last event.
    """

    def __init__(
        self,
        handler: Handler,
        shards: Sequence[object],
        merge: Merge,
        number: int,
        on_event: Callable[[Event], None],
        limit: TimeLimit,
        *,
        memory_bytes: int | None = None,
        grace_s: float = GRACE_S,
    ) -> None:
        """Begin at once; a shard that is to stop may take ``grace_s`` to yield."""
        self._merge, self._number, self._on_event = merge, number, on_event
        self._lock = threading.Lock()
        self._messages: dict[int, object] = {}
        self._results: dict[int, object] = {}
        self._ended = False
        self._supervisors = [
            Supervisor(
                handler,
                on_event=partial(self._receive, place),
                memory_bytes=memory_bytes,
                spare=False,
            )
            for place in range(len(shards))
        ]
        for supervisor, shard in zip(self._supervisors, shards, strict=True):
            supervisor.submit(number, shard, limit, grace_s=grace_s)

    def cancel(self) -> None:
        """Ask every shard to stop; what they have by then is the result."""
        for supervisor in self._supervisors:
            supervisor.cancel()

    def close(self) -> None:
        """End the children; no event comes after this. May be called twice."""
        with self._lock:
            self._ended = True
        for supervisor in self._supervisors:
            supervisor.close()

    def _receive(self, place: int, event: Event) -> None:
        with self._lock:
            if self._ended:
                return
            match event:
                case Progressed(message=message):
                    self._take_message(place, message)
                case Finished(result=result):
                    self._take_result(place, result)
                case Failed(outcome=outcome):
                    self._fail(outcome)

    def _take_message(self, place: int, message: object) -> None:
        self._messages[place] = message
        merged = self._merge.progress(_in_order(self._messages))
        if merged is not None:
            self._on_event(Progressed(self._number, merged))

    def _take_result(self, place: int, result: object) -> None:
        self._results[place] = result
        if len(self._results) == len(self._supervisors):
            self._end(Finished(self._number, self._merge.result(_in_order(self._results))))

    def _fail(self, outcome: Outcome) -> None:
        self._end(Failed(self._number, outcome))

    def _end(self, event: Event) -> None:
        """Give the last event. Its thread may not wait for the others, which may wait for it."""
        self._ended = True
        for supervisor in self._supervisors:
            supervisor.close(wait=False)
        self._on_event(event)


def _in_order(by_place: dict[int, object]) -> list[object]:
    return [by_place[place] for place in sorted(by_place)]
