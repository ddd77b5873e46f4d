# SPDX-License-Identifier: MIT
"""Has requests answered in child processes; the window, the command line and `check` use it.

What makes a request fail is worded once: a kernel that crashes, exits, runs past its time limit or
needs too much memory is a finding of the result, with fixes, for every caller.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from threadloom.model.provenance import Engine
from threadloom.model.run import Run
from threadloom.services.bench.sharding import SweepMerge, shards
from threadloom.services.devices.memory import limit_bytes
from threadloom.services.messages.check import CheckRequest
from threadloom.services.messages.launch_sweep import LaunchSweepRequest
from threadloom.services.messages.run import RunProgress, RunRequest
from threadloom.services.messages.sweep import SweepRequest
from threadloom.services.worker_entry import handle
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExpectedError, Outcome
from threadloom.worker.pool import Pool, wait_for_result
from threadloom.worker.supervisor import GRACE_S
from threadloom.worker.time_limit import Clock, TimeLimit

POINT_S = 15.0
"""What a sweep that is stopped may take to finish the size in hand, so that the others are kept."""
EXTENSION_S = 60.0
"""For compiling, the reference and the timings of a run, on top of twice the kernel's limit."""
_KERNEL_STAGES = frozenset({"running", "observing"})

OnEvent = Callable[[Event], None]


def grace_s(limit_s: float) -> float:
    """How long after a kernel's time limit its child is killed.

    The emulator's own watchdog, which applies the same limit, can name the line where it spins.
    """
    return max(1.0, limit_s / 10)


def kernel_limit(limit_s: float, clock: Clock) -> TimeLimit:
    """Limit of a stage in which the kernel runs."""
    return TimeLimit(limit_s, clock, grace_s(limit_s))


@dataclass(slots=True)
class _Pending:
    """The newest request and what is known of it."""

    number: int
    request: object
    max_time_s: float
    progress: RunProgress | None = field(default=None, init=False)
    ahead: Run | None = field(default=None, init=False)


class Client:
    """Submits requests to a pool of child processes; events come on a thread of the pool."""

    def __init__(
        self,
        on_event: OnEvent | None = None,
        *,
        interactive: bool = True,
    ) -> None:
        """Make a client.

        Args:
            on_event: Called with every event; see `connect`.
            interactive: Start a child now and keep a second one ready; a sweep that is stopped is
                then ended at once, as its points so far have been sent ahead.
        """
        self._on_event = on_event
        self._interactive = interactive
        self._numbers = itertools.count(1)
        self._pending: _Pending | None = None
        self._pool = Pool(handle, self._take, memory_bytes=limit_bytes(), spare=interactive)

    def connect(self, on_event: OnEvent) -> None:
        """Give every later event to this."""
        self._on_event = on_event

    def disconnect(self) -> None:
        """Drop every later event."""
        self._on_event = None

    def submit(self, request: object, max_time_s: float, devices: Sequence[int] = ()) -> int:
        """Have a request answered in place of any earlier one; gives the number of its events.

        Args:
            request: One of `threadloom.services.messages`.
            max_time_s: Time limit; of a run, each stage that runs the kernel has it.
            devices: GPUs that share a sweep, each with a child of its own.
        """
        number = next(self._numbers)
        if isinstance(request, RunRequest):
            request = replace(request, kernel_limit_s=max_time_s)
        self._pending = _Pending(number, request, max_time_s)
        limit = self._limit(request, max_time_s)
        if isinstance(request, SweepRequest | LaunchSweepRequest) and devices:
            parts, merge = shards(request, devices), SweepMerge(request)
            self._pool.submit_shards(number, parts, merge, limit, grace_s=POINT_S)
        else:
            self._pool.submit(number, request, limit, grace_s=self._grace_s(request))
        return number

    def cancel(self) -> None:
        """Stop what runs."""
        self._pool.cancel()

    def close(self) -> None:
        """End the children; no event comes after this."""
        self._pool.close()

    def _grace_s(self, request: object) -> float:
        is_sweep = isinstance(request, SweepRequest | LaunchSweepRequest)
        return POINT_S if is_sweep and not self._interactive else GRACE_S

    def _limit(self, request: object, max_time_s: float) -> TimeLimit:
        if isinstance(request, RunRequest):
            return TimeLimit(2 * max_time_s + EXTENSION_S)
        is_check = isinstance(request, CheckRequest)
        return TimeLimit(max_time_s, Clock.PROCESSOR if is_check else Clock.WALL)

    # On a thread of the pool ----------------------------------------------------------------------

    def _take(self, event: Event) -> None:
        pending = self._pending
        if pending is not None and event.number == pending.number:
            if isinstance(event, Progressed):
                self._note(pending, event.message)
            elif isinstance(event, Failed):
                event = self._with_result(pending, event)
        if self._on_event is not None:
            self._on_event(event)

    def _note(self, pending: _Pending, message: object) -> None:
        if isinstance(message, Run):
            pending.ahead = message
        elif isinstance(message, RunProgress):
            pending.progress = message
            self._pool.change_limit(pending.number, self._stage_limit(pending, message))

    def _stage_limit(self, pending: _Pending, progress: RunProgress) -> TimeLimit:
        """A GPU's kernel is limited by wall-clock time, and an emulated one by processor time."""
        if progress.stage not in _KERNEL_STAGES:
            return self._limit(pending.request, pending.max_time_s)
        on_gpu = progress.engine is Engine.GPU and progress.stage == "running"
        return kernel_limit(pending.max_time_s, Clock.WALL if on_gpu else Clock.PROCESSOR)

    def _with_result(self, pending: _Pending, failed: Failed) -> Event:
        """A failure that lies in the kernel as a result with findings."""
        if not failed.outcome.is_by_kernel:
            return failed
        try:
            result = _failed_result(pending, failed.outcome)
        except ExpectedError:  # the request means nothing, which its failure does not say
            return failed
        return failed if result is None else Finished(failed.number, result)


def ask(
    request: object,
    max_time_s: float,
    on_progress: Callable[[object], None] = lambda _message: None,
    *,
    devices: Sequence[int] = (),
) -> object:
    """Have one request answered, and wait for it.

    Ctrl-C asks for the result so far; a second one does not wait for that.

    Raises:
        RequestFailedError: If there is no result.
    """
    events: SimpleQueue[Event] = SimpleQueue()
    client = Client(events.put, interactive=False)
    try:
        client.submit(request, max_time_s, devices)
        return wait_for_result(events, client.cancel, on_progress)
    finally:
        client.close()


def _failed_result(pending: _Pending, outcome: Outcome) -> object | None:
    """Result of a request whose kernel failed; None if it has none.

    What makes it is imported here: it takes all finders along, which a start does not wait for.
    """
    match pending.request:
        case RunRequest(job=job):
            from threadloom.services.run.failed_run import failed_run

            return failed_run(job, outcome, pending.progress, pending.ahead)
        case CheckRequest():
            from threadloom.services.doctor.cases.checker import failed_check

            return failed_check(pending.request, outcome)
    return None
