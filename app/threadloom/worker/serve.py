# SPDX-License-Identifier: MIT
"""What the child does: take a task, call the handler, answer; until the pipe closes."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from threadloom.backends.base import BackendError
from threadloom.worker import process_limits
from threadloom.worker.outcome import ExitReason, ExpectedError, Outcome
from threadloom.worker.protocol import (
    Answer,
    Cancelled,
    DeadlineExtension,
    Handler,
    ProgressMessage,
    Ready,
    Task,
)
from threadloom.worker.serializer import Serializer


@dataclass(frozen=True, slots=True)
class ChildSetup:
    """What a child needs to know; it crosses to the child when this starts."""

    handler: Handler
    prefix: str
    """Of the names of its shared memory."""
    output: Path
    """File for what it prints."""
    memory_bytes: int | None


def serve(setup: ChildSetup, pipe: Connection) -> None:
    """Run in a child process until the parent closes the pipe or a handler recycles the child."""
    process_limits.redirect_output(setup.output)
    process_limits.leave_terminal()
    process_limits.die_with_parent()
    process_limits.limit_memory(setup.memory_bytes)
    _prepare(setup.handler)
    serializer = Serializer(setup.prefix)
    pipe.send_bytes(serializer.serialize(Ready()))
    try:
        _answer_tasks(setup, pipe, serializer)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent has closed the pipe


def _prepare(handler: Handler) -> None:
    """Let the handler's module do what is slow ahead of need."""
    prepare = getattr(sys.modules[handler.__module__], "prepare", None)
    if prepare is not None:
        prepare()


def _answer_tasks(setup: ChildSetup, pipe: Connection, serializer: Serializer) -> None:
    while True:
        task = pipe.recv()
        if not isinstance(task, Task):
            continue  # a stop that came after the answer
        serializer.tidy()
        context = _PipeContext(task.number, pipe, serializer)
        pipe.send_bytes(_handled(setup, task, context, serializer))
        if context.recycled:
            return


def _handled(setup: ChildSetup, task: Task, context: _PipeContext, serializer: Serializer) -> bytes:
    """Call the handler and serialize its answer, which may run out of memory, too."""
    try:
        result = setup.handler(task.request, context)
        return serializer.serialize(Answer(task.number, result, recycles=context.recycled))
    except Exception as error:  # noqa: BLE001 - the process' edge: every error becomes an outcome
        outcome = _outcome(error, setup.memory_bytes)
        return _serialized_failure(Answer(task.number, None, outcome, context.recycled), serializer)


def _serialized_failure(answer: Answer, serializer: Serializer) -> bytes:
    """Serialize an answer without a result; an error that cannot be pickled goes as its text."""
    try:
        return serializer.serialize(answer)
    except Exception:  # noqa: BLE001 - any class of error may fail to be pickled in its own way
        outcome = answer.outcome
        plain = Outcome(
            ExitReason.ERROR,
            error=RuntimeError(str(outcome.error) if outcome else ""),
            detail=outcome.detail if outcome else "",
        )
        return serializer.serialize(Answer(answer.number, None, plain, answer.recycles))


def _outcome(error: Exception, memory_bytes: int | None) -> Outcome:
    if isinstance(error, Cancelled):
        return Outcome(ExitReason.CANCELLED)
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        return Outcome(ExitReason.OUT_OF_MEMORY, memory_bytes=memory_bytes, detail=trace)
    bare = error.with_traceback(None)
    if isinstance(error, ExpectedError | BackendError):
        return Outcome(ExitReason.REFUSED, error=bare, detail=trace)
    return Outcome(ExitReason.ERROR, error=bare, detail=trace)


class _PipeContext:
    """Context of one request. Whatever arrives in the pipe meanwhile means: stop."""

    def __init__(self, number: int, pipe: Connection, serializer: Serializer) -> None:
        self._number = number
        self._pipe = pipe
        self._serializer = serializer
        self.recycled = False

    @property
    def cancelled(self) -> bool:
        return self._pipe.poll()

    def progress(self, message: object) -> None:
        self._send(ProgressMessage(self._number, message))

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled

    def extend_deadline(self, seconds: float | None = None) -> None:
        self._send(DeadlineExtension(self._number, seconds))

    def recycle(self) -> None:
        self.recycled = True

    def _send(self, message: object) -> None:
        self._pipe.send_bytes(self._serializer.serialize(message))
