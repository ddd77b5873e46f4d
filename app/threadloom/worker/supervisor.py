# SPDX-License-Identifier: MIT
"""Keeps one child at work: newest request wins, and whatever happens to the child is an event."""

from __future__ import annotations

import itertools
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection

from threadloom.worker.child import Child
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import Ending, Outcome
from threadloom.worker.protocol import Ahead, Allowance, Answer, Handler, Ready

GRACE_S = 0.15
"""How long a request that is no longer wanted may take to yield before its child is killed."""

START_LIMIT_S = 60.0
"""How long a child may take to import what it needs."""


@dataclass(slots=True)
class _Task:
    """A request on its way."""

    number: int
    request: object
    deadline_s: float
    allowed_s: float = math.inf
    """What its child has been given, last."""
    ends_at: float = math.inf
    """When its child is killed."""
    wanted: bool = True
    """Whether its answer is still of interest."""
    cancelled: bool = False


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
        grace_s: float = GRACE_S,
    ) -> None:
        """Start the first child at once.

        Args:
            handler: Importable function of request and context.
            on_event: Called on the listening thread with every event.
            memory_bytes: Memory that the child may write; no limit if None.
            spare: Keep a second child ready, so that a dead one is replaced without delay.
            grace_s: How long an unwanted request may take to yield.
        """
        self._handler = handler
        self._on_event = on_event
        self._memory_bytes = memory_bytes
        self._keeps_spare = spare
        self._grace_s = grace_s
        self._numbers = itertools.count(1)
        self._inbox: deque[_Task | Ending | None] = deque()
        self._child: Child | None = None
        self._child_due = math.inf
        self._spare: Child | None = None
        self._running: _Task | None = None
        self._waiting: _Task | None = None
        self._closing = False
        self._bell, self._bell_rope = connection.Pipe(duplex=False)
        self._ringing = threading.Lock()
        self._thread = threading.Thread(target=self._listen, name="worker", daemon=True)
        self._thread.start()

    # Called from any thread ---------------------------------------------------------------------

    def submit(self, request: object, *, deadline_s: float) -> int:
        """Have a request handled in place of any earlier one; gives its number.

        The deadline counts from when a child that is ready takes the request.
        """
        task = _Task(0, request, deadline_s)
        self._post(task)
        return task.number

    def cancel(self) -> None:
        """Stop what runs. It may still answer within the grace; else it fails as cancelled."""
        self._post(Ending.CANCELLED)

    def close(self) -> None:
        """End the child and the thread; no event comes after this. May be called twice."""
        self._post(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _post(self, item: _Task | Ending | None) -> None:
        with self._ringing:
            if self._closing:
                return
            if isinstance(item, _Task):
                item.number = next(self._numbers)
            self._closing = item is None
            self._inbox.append(item)
            self._bell_rope.send_bytes(b"!")

    # On the listening thread --------------------------------------------------------------------

    def _listen(self) -> None:
        try:
            self._start_child()
            while self._step():
                pass
        finally:
            with self._ringing:
                self._closing = True
                self._bell_rope.close()
            self._bell.close()
            for child in (self._child, self._spare):
                if child is not None:
                    child.bury()

    def _step(self) -> bool:
        """Wait for the next thing to happen and answer it; False once closed."""
        waited: list[connection.Connection | int] = [self._bell]
        for child in (self._child, self._spare):
            if child is not None:
                waited += [child.pipe, child.sentinel]
        happened = connection.wait(waited, self._patience())
        if self._bell in happened and not self._read_inbox():
            return False
        for child in (self._child, self._spare):
            if child is not None and (child.pipe in happened or child.sentinel in happened):
                self._hear(child)
        self._enforce_limits()
        self._start_waiting()
        return True

    def _patience(self) -> float | None:
        due = min(self._child_due, self._running.ends_at if self._running else math.inf)
        return None if due == math.inf else max(0.0, due - time.monotonic())

    def _read_inbox(self) -> bool:
        while self._bell.poll():
            self._bell.recv_bytes()
            item = self._inbox.popleft()
            if item is None:
                return False
            if isinstance(item, _Task):
                self._waiting = item
                self._stop_running(wanted=False)
            else:
                self._cancel()
        return True

    def _cancel(self) -> None:
        if self._waiting is not None:
            number, self._waiting = self._waiting.number, None
            self._on_event(Failed(number, Outcome(Ending.CANCELLED)))
        else:
            self._stop_running(wanted=True)

    def _stop_running(self, *, wanted: bool) -> None:
        task = self._running
        if task is None or self._child is None:
            return
        task.wanted = task.wanted and wanted
        if not task.cancelled:
            task.cancelled = True
            task.ends_at = min(task.ends_at, time.monotonic() + self._grace_s)
            self._child.ask_to_stop()

    def _hear(self, child: Child) -> None:
        """Take all that a child has said; if it has ended, bury it."""
        ended = child.has_ended
        try:
            for message in child.heard():
                self._take(child, message)
        except EOFError:
            ended = True
        if ended and child in (self._child, self._spare):
            self._bury(child)

    def _take(self, child: Child, message: object) -> None:
        task = self._running
        if isinstance(message, Ready):
            child.ready = True
            if child is self._child:
                self._child_due = math.inf
        elif isinstance(message, Ahead) and task is not None and task.wanted:
            self._on_event(Progressed(message.number, message.message))
        elif isinstance(message, Allowance) and task is not None and not task.cancelled:
            task.allowed_s = task.deadline_s if message.seconds is None else message.seconds
            task.ends_at = time.monotonic() + task.allowed_s
        elif isinstance(message, Answer):
            self._running = None
            self._deliver(task, message)
            if message.retires:
                self._replace()
            if self._keeps_spare and self._spare is None:
                self._spare = self._new_child()

    def _deliver(self, task: _Task | None, answer: Answer) -> None:
        if task is None or not task.wanted:
            return
        if answer.outcome is None:
            self._on_event(Finished(answer.number, answer.result))
        else:
            self._on_event(Failed(answer.number, answer.outcome))

    def _bury(self, child: Child) -> None:
        outcome = child.bury()
        if child is self._spare:
            self._spare = None
            return
        self._child = None
        self._lose(outcome)

    def _lose(self, outcome: Outcome) -> None:
        """Go on after the child's end: tell, and have the next one ready."""
        task, self._running = self._running, None
        if outcome.ending is Ending.NOT_STARTED:
            task, self._waiting = self._waiting, None
            self._child_due = math.inf
        else:
            self._start_child()
        if task is not None and task.wanted:
            self._on_event(Failed(task.number, outcome))

    def _enforce_limits(self) -> None:
        now, task = time.monotonic(), self._running
        if task is not None and now >= task.ends_at:
            if self._child is not None:
                self._child.bury()
                self._child = None
            self._lose(
                Outcome(Ending.CANCELLED)
                if task.cancelled
                else Outcome(Ending.DEADLINE, limit_s=task.allowed_s)
            )
        elif now >= self._child_due and self._child is not None:
            self._bury(self._child)

    def _start_waiting(self) -> None:
        if self._waiting is None or self._running is not None:
            return
        if self._child is None:
            self._start_child()
        if self._child is None or not self._child.ready:
            return
        task, self._waiting = self._waiting, None
        task.allowed_s = task.deadline_s
        task.ends_at = time.monotonic() + task.deadline_s
        self._running = task
        self._child.order(task.number, task.request)

    def _replace(self) -> None:
        if self._child is not None:
            self._child.bury()
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
            task, self._waiting = self._waiting, None
            if task is not None:
                outcome = Outcome(
                    Ending.NOT_STARTED, error=error, detail=os.strerror(error.errno or 0)
                )
                self._on_event(Failed(task.number, outcome))
            return None
