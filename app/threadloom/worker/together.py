# SPDX-License-Identifier: MIT
"""Several requests at the same time, each in a child of its own, for callers that wait."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue

from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.once import RequestFailedError
from threadloom.worker.protocol import Handler
from threadloom.worker.supervisor import Supervisor

_Told = tuple[int, Event]


def run_together(
    handler: Handler,
    requests: Sequence[object],
    deadline_s: float,
    on_progress: Callable[[int, object], None] = lambda _number, _message: None,
    *,
    memory_bytes: int | None = None,
) -> list[object]:
    """Handle each request in a child and give the results in their order.

    Ctrl-C asks all handlers to stop: their results so far are given, if they yield them in time.

    Raises:
        RequestFailedError: If one has no result; the others are stopped.
    """
    events: SimpleQueue[_Told] = SimpleQueue()
    with contextlib.ExitStack() as closing:
        supervisors = []
        for number, request in enumerate(requests):
            supervisor = Supervisor(
                handler,
                on_event=partial(_tell, events, number),
                memory_bytes=memory_bytes,
                spare=False,
            )
            closing.callback(supervisor.close)
            supervisor.submit(request, deadline_s=deadline_s)
            supervisors.append(supervisor)
        results: dict[int, object] = {}
        try:
            _gather(events, results, len(requests), on_progress)
        except KeyboardInterrupt:
            for supervisor in supervisors:
                supervisor.cancel()
            _gather(events, results, len(requests), on_progress)
        return [results[number] for number in range(len(requests))]


def _tell(events: SimpleQueue[_Told], number: int, event: Event) -> None:
    events.put((number, event))


def _gather(
    events: SimpleQueue[_Told],
    results: dict[int, object],
    count: int,
    on_progress: Callable[[int, object], None],
) -> None:
    while len(results) < count:
        match events.get():
            case number, Progressed(message=message):
                on_progress(number, message)
            case number, Finished(result=result):
                results[number] = result
            case _number, Failed(outcome=outcome):
                raise RequestFailedError(outcome)
