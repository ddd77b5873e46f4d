# SPDX-License-Identifier: MIT
"""Child processes for one request at a time: one for a whole request, or one for each shard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import RequestFailedError
from threadloom.worker.protocol import Handler
from threadloom.worker.shards import Merge, ShardedRequest
from threadloom.worker.supervisor import GRACE_S, Supervisor
from threadloom.worker.time_limit import TimeLimit


class Pool:
    """Handles the newest request; an earlier one is stopped.

    Callers that do not wait give numbers of their own to tell events by. Callers that wait use
    `wait_for_result`.
    """

    def __init__(
        self,
        handler: Handler,
        on_event: Callable[[Event], None],
        *,
        memory_bytes: int | None = None,
        spare: bool = True,
    ) -> None:
        """Make a pool.

        Args:
            handler: Importable function of request and context.
            on_event: Called with every event, on a thread of the pool.
            memory_bytes: Memory that each child may write; no limit if None.
            spare: Start a child now and keep a second one ready; else the first request starts one.
        """
        self._handler = handler
        self._on_event = on_event
        self._memory_bytes = memory_bytes
        self._supervisor = self._new_supervisor(spare=True) if spare else None
        self._sharded: ShardedRequest | None = None
        self._closed = False

    def submit(
        self, number: int, request: object, limit: TimeLimit, *, grace_s: float = GRACE_S
    ) -> None:
        """Have a request handled; stopped, it may take ``grace_s`` to yield a result."""
        if self._closed:
            return
        self._close_shards()
        if self._supervisor is None:
            self._supervisor = self._new_supervisor(spare=False)
        self._supervisor.submit(number, request, limit, grace_s=grace_s)

    def submit_shards(
        self,
        number: int,
        shards: Sequence[object],
        merge: Merge,
        limit: TimeLimit,
        *,
        grace_s: float = GRACE_S,
    ) -> None:
        """Have a request handled by as many children as it has shards."""
        if self._closed:
            return
        self.cancel()
        self._close_shards()
        self._sharded = ShardedRequest(
            self._handler,
            shards,
            merge,
            number,
            self._on_event,
            limit,
            memory_bytes=self._memory_bytes,
            grace_s=grace_s,
        )

    def change_limit(self, number: int, limit: TimeLimit) -> None:
        """Give a running request without shards another limit; for ``on_event`` to call."""
        if self._supervisor is not None:
            self._supervisor.change_limit(number, limit)

    def cancel(self) -> None:
        """Stop what runs. It may answer within its grace period; else it fails as cancelled."""
        if self._sharded is not None:
            self._sharded.cancel()
        elif self._supervisor is not None:
            self._supervisor.cancel()

    def close(self) -> None:
        """End all children; no event comes after this. May be called twice."""
        self._closed = True
        self._close_shards()
        if self._supervisor is not None:
            self._supervisor.close()

    def _close_shards(self) -> None:
        sharded, self._sharded = self._sharded, None
        if sharded is not None:
            sharded.close()

    def _new_supervisor(self, *, spare: bool) -> Supervisor:
        return Supervisor(
            self._handler,
            on_event=self._on_event,
            memory_bytes=self._memory_bytes,
            spare=spare,
        )


def wait_for_result(
    events: SimpleQueue[Event],
    cancel: Callable[[], None],
    on_progress: Callable[[object], None] = lambda _message: None,
) -> object:
    """Give the result of the only request whose events come to a queue.

    Ctrl-C asks the handler to stop: its result so far is given, if it yields one within its grace
    period. A second one does not wait for that.

    Raises:
        RequestFailedError: If there is no result.
    """
    try:
        return _next_result(events, on_progress)
    except KeyboardInterrupt:
        cancel()
        return _next_result(events, on_progress)


def _next_result(events: SimpleQueue[Event], on_progress: Callable[[object], None]) -> object:
    while True:
        match events.get():
            case Progressed(message=message):
                on_progress(message)
            case Finished(result=result):
                return result
            case Failed(outcome=outcome):
                raise RequestFailedError(outcome)
