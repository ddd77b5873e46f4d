# SPDX-License-Identifier: MIT
"""Keeps one child at work: newest request wins, and whatever happens to the child is an event."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection

from threadloom.worker import processor_time
from threadloom.worker.child import Child
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExitReason, Outcome
from threadloom.worker.protocol import (
    Answer,
    DeadlineExtension,
    Handler,
    ProgressMessage,
    Ready,
    Stop,
    Task,
)
from threadloom.worker.time_limit import LimitWatch, TimeLimit

GRACE_S = 0.15
"""How long a request that is no longer wanted may take to yield before its child is killed."""

START_LIMIT_S = 60.0
"""How long a child may take to import what it needs."""


@dataclass(slots=True)
class _Work:
    """A request, waiting or running."""

    task: Task
    limit: TimeLimit
    grace_s: float
    watch: LimitWatch | None = None
    """Made when a child takes the request."""
    killed_at: float = math.inf
    """When the child of a cancelled request is killed."""
    wanted: bool = True
    """Whether its answer is still of interest."""
    cancelled: bool = False

    @property
    def next_check(self) -> float:
        """When something is to be decided about it."""
        return min(self.watch.next_check if self.watch else math.inf, self.killed_at)


class Supervisor:
    """Runs a handler in a child process that may crash, hang or run out of memory.

    All state belongs to one listening thread, on which ``on_event`` is called, too.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        on_event: Callable[[Event], None],
        memory_bytes: int | None = None,
        spare: bool = True,
    ) -> None:
        """Start the first child at once.

        Args:
            handler: Importable function of request and context.
            on_event: Called on the listening thread with every event.
            memory_bytes: Memory that the child may write; no limit if None.
            spare: Keep a second child ready, so that a dead one is replaced without delay.
        """
        self._handler = handler
        self._on_event = on_event
        self._memory_bytes = memory_bytes
        self._keeps_spare = spare
        self._inbox: deque[_Work | ExitReason | None] = deque()
        self._child: Child | None = None
        self._child_due = math.inf
        self._spare: Child | None = None
        self._running: _Work | None = None
        self._waiting: _Work | None = None
        self._closing = False
        self._wakeup, self._wakeup_writer = connection.Pipe(duplex=False)
        self._posting = threading.Lock()
        self._thread = threading.Thread(target=self._listen, name="worker", daemon=True)
        self._thread.start()

    # Called from any thread ---------------------------------------------------------------------

    def submit(
        self, number: int, request: object, limit: TimeLimit, *, grace_s: float = GRACE_S
    ) -> None:
        """Have a request handled in place of any earlier one.

        Args:
            number: Of its events.
            request: For the handler.
            limit: Counts from when a child that is ready takes the request.
            grace_s: How long it may take to yield once it is no longer wanted.
        """
        self._post(_Work(Task(number, request), limit, grace_s))

    def cancel(self) -> None:
        """Stop what runs. It may answer within its grace period; else it fails as cancelled."""
        self._post(ExitReason.CANCELLED)

    def close(self, *, wait: bool = True) -> None:
        """End the child and the thread; once that is so, no event comes. May be called twice."""
        self._post(None)
        if wait and threading.current_thread() is not self._thread:
            self._thread.join()

    def _post(self, item: _Work | ExitReason | None) -> None:
        with self._posting:
            if not self._closing:
                self._closing = item is None
                self._inbox.append(item)
                self._wakeup_writer.send_bytes(b"!")

    # On the listening thread --------------------------------------------------------------------

    def change_limit(self, number: int, limit: TimeLimit) -> None:
        """Give the running request another time limit from now on; for ``on_event`` to call."""
        work = self._running
        if work is not None and work.task.number == number:
            work.limit = limit
            self._watch(work, limit)

    def _watch(self, work: _Work, limit: TimeLimit) -> None:
        if self._child is not None and not work.cancelled:
            work.watch = LimitWatch(limit, partial(processor_time.read, self._child.pid))

    def _listen(self) -> None:
        try:
            self._start_child()
            while self._step():
                pass
        finally:
            with self._posting:
                self._closing = True
                self._wakeup_writer.close()
            self._wakeup.close()
            for child in (self._child, self._spare):
                if child is not None:
                    child.reap()

    def _step(self) -> bool:
        """Wait for the next thing to happen and answer it; False once closed."""
        waited: list[connection.Connection | int] = [self._wakeup]
        for child in (self._child, self._spare):
            if child is not None:
                waited += [child.pipe, child.sentinel]
        happened = connection.wait(waited, self._pause_s())
        if self._wakeup in happened and not self._read_inbox():
            return False
        for child in (self._child, self._spare):
            if child is not None and (child.pipe in happened or child.sentinel in happened):
                self._receive(child)
        self._enforce_limits()
        self._start_waiting()
        return True

    def _pause_s(self) -> float | None:
        due = min(self._child_due, self._running.next_check if self._running else math.inf)
        return None if due == math.inf else max(0.0, due - time.monotonic())

    def _read_inbox(self) -> bool:
        while self._wakeup.poll():
            self._wakeup.recv_bytes()
            item = self._inbox.popleft()
            if item is None:
                return False
            if isinstance(item, _Work):
                self._waiting = item
                self._stop_running(wanted=False)
            else:
                self._cancel()
        return True

    def _cancel(self) -> None:
        if self._waiting is not None:
            work, self._waiting = self._waiting, None
            self._on_event(Failed(work.task.number, Outcome(ExitReason.CANCELLED)))
        else:
            self._stop_running(wanted=True)

    def _stop_running(self, *, wanted: bool) -> None:
        work = self._running
        if work is None or self._child is None:
            return
        work.wanted = work.wanted and wanted
        if not work.cancelled:
            work.cancelled = True
            work.killed_at = time.monotonic() + work.grace_s
            self._child.send(Stop())

    def _receive(self, child: Child) -> None:
        """Take all that a child has sent; if it has ended, reap it."""
        ended = child.has_ended
        try:
            for message in child.messages():
                self._take(child, message)
        except EOFError:
            ended = True
            child.wait_for_exit()
        if ended and child in (self._child, self._spare):
            self._reap(child)

    def _take(self, child: Child, message: object) -> None:
        work = self._running
        if isinstance(message, Ready):
            child.ready = True
            if child is self._child:
                self._child_due = math.inf
        elif isinstance(message, Answer):
            self._take_answer(work, message)
        elif work is not None and isinstance(message, ProgressMessage) and work.wanted:
            self._on_event(Progressed(message.number, message.message))
        elif work is not None and isinstance(message, DeadlineExtension):
            seconds = message.seconds
            self._watch(work, work.limit if seconds is None else TimeLimit(seconds))

    def _take_answer(self, work: _Work | None, answer: Answer) -> None:
        self._running = None
        if work is not None and work.wanted:
            if answer.outcome is None:
                self._on_event(Finished(answer.number, answer.result))
            else:
                self._on_event(Failed(answer.number, answer.outcome))
        if answer.recycles:
            self._replace()
        if self._keeps_spare and self._spare is None:
            self._spare = self._new_child()

    def _reap(self, child: Child) -> None:
        outcome = child.reap()
        if child is self._spare:
            self._spare = None
            return
        self._child = None
        self._lose(outcome)

    def _lose(self, outcome: Outcome) -> None:
        """Go on after the child's end: say so, and have the next one ready."""
        work, self._running = self._running, None
        if outcome.reason is ExitReason.NOT_STARTED:
            work, self._waiting = self._waiting, None
            self._child_due = math.inf
        else:
            self._start_child()
        if work is not None and work.wanted:
            self._on_event(Failed(work.task.number, outcome))

    def _enforce_limits(self) -> None:
        now, work = time.monotonic(), self._running
        if work is not None and now >= work.next_check:
            self._check_limit(work, now)
        elif now >= self._child_due and self._child is not None:
            self._reap(self._child)

    def _check_limit(self, work: _Work, now: float) -> None:
        if now >= work.killed_at:
            self._kill(Outcome(ExitReason.CANCELLED))
            return
        limit = work.watch.exceeded() if work.watch is not None else None
        if limit is not None:
            reason = ExitReason.CANCELLED if work.cancelled else ExitReason.TIMEOUT
            self._kill(Outcome(reason, limit_s=limit.seconds, clock=limit.clock))

    def _kill(self, outcome: Outcome) -> None:
        if self._child is not None:
            self._child.reap()
            self._child = None
        self._lose(outcome)

    def _start_waiting(self) -> None:
        if self._waiting is None or self._running is not None:
            return
        if self._child is None:
            self._start_child()
        if self._child is None or not self._child.ready:
            return
        work, self._waiting = self._waiting, None
        self._running = work
        self._watch(work, work.limit)
        self._child.send(work.task)

    def _replace(self) -> None:
        if self._child is not None:
            self._child.reap()
            self._child = None
        self._start_child()

    def _start_child(self) -> None:
        """Put the spare to work, or a new child."""
        self._child, self._spare = self._spare or self._new_child(), None
        if self._child is not None and not self._child.ready:
            self._child_due = time.monotonic() + START_LIMIT_S

    def _new_child(self) -> Child | None:
        try:
            return Child(self._handler, self._memory_bytes)
        except OSError as error:  # no process, no pipe or no room for its log
            self._child_due = math.inf
            work, self._waiting = self._waiting, None
            if work is not None:
                outcome = Outcome(
                    ExitReason.NOT_STARTED, error=error, detail=os.strerror(error.errno or 0)
                )
                self._on_event(Failed(work.task.number, outcome))
            return None
