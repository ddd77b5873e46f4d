# SPDX-License-Identifier: MIT
"""One request in a child of its own, for callers that wait."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import Outcome
from threadloom.worker.protocol import Handler
from threadloom.worker.supervisor import GRACE_S, Supervisor


class RequestFailedError(Exception):
    """The request has no result; the outcome says why."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.message)


def run_once(
    handler: Handler,
    request: object,
    deadline_s: float,
    on_progress: Callable[[object], None] = lambda _message: None,
    *,
    memory_bytes: int | None = None,
    grace_s: float = GRACE_S,
) -> object:
    """Handle one request in a child and give its result.

    Ctrl-C asks the handler to stop: its result so far is given, if it yields one within the grace.
    A second one does not wait for that.

    Raises:
        RequestFailedError: If there is no result.
    """
    events: SimpleQueue[Event] = SimpleQueue()
    supervisor = Supervisor(
        handler, on_event=events.put, memory_bytes=memory_bytes, spare=False, grace_s=grace_s
    )
    try:
        supervisor.submit(request, deadline_s=deadline_s)
        try:
            return _result(events, on_progress)
        except KeyboardInterrupt:
            supervisor.cancel()
            return _result(events, on_progress)
    finally:
        supervisor.close()


def _result(events: SimpleQueue[Event], on_progress: Callable[[object], None]) -> object:
    while True:
        match events.get():
            case Progressed(message=message):
                on_progress(message)
            case Finished(result=result):
                return result
            case Failed(outcome=outcome):
                raise RequestFailedError(outcome)
