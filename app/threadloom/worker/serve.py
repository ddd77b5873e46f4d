# SPDX-License-Identifier: MIT
"""What the child does: take an order, call the handler, answer; until the pipe closes."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from threadloom.backends.base import BackendError
from threadloom.worker import process_limits as confine
from threadloom.worker.outcome import Ending, ExpectedError, Outcome
from threadloom.worker.protocol import Ahead, Allowance, Answer, Cancelled, Handler, Order, Ready
from threadloom.worker.serializer import Packer


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
    """Run in a child process until the parent closes the pipe or a handler retires the child."""
    confine.redirect_output(setup.output)
    confine.leave_terminal()
    confine.die_with_parent()
    confine.limit_memory(setup.memory_bytes)
    _prepare(setup.handler)
    packer = Packer(setup.prefix)
    pipe.send_bytes(packer.pack(Ready()))
    try:
        _answer_orders(setup, pipe, packer)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent has closed the pipe


def _prepare(handler: Handler) -> None:
    """Let the handler's module do what is slow ahead of need."""
    prepare = getattr(sys.modules[handler.__module__], "prepare", None)
    if prepare is not None:
        prepare()


def _answer_orders(setup: ChildSetup, pipe: Connection, packer: Packer) -> None:
    while True:
        order = pipe.recv()
        if not isinstance(order, Order):
            continue  # a wish to stop that came after the answer
        packer.tidy()
        context = _PipeContext(order.number, pipe, packer)
        pipe.send_bytes(_handled(setup, order, context, packer))
        if context.retired:
            return


def _handled(setup: ChildSetup, order: Order, context: _PipeContext, packer: Packer) -> bytes:
    """Call the handler and pack its answer; packing may run out of memory, too."""
    try:
        result = setup.handler(order.request, context)
        return packer.pack(Answer(order.number, result, retires=context.retired))
    except Exception as error:  # noqa: BLE001 - the process' edge: every error becomes an outcome
        outcome = _outcome(error, setup.memory_bytes)
        return _packed_failure(Answer(order.number, None, outcome, context.retired), packer)


def _packed_failure(answer: Answer, packer: Packer) -> bytes:
    """Pack an answer without a result; an error that cannot be pickled goes by its words."""
    try:
        return packer.pack(answer)
    except Exception:  # noqa: BLE001 - any class of error may fail to be pickled in its own way
        outcome = answer.outcome
        plain = Outcome(
            Ending.ERROR,
            error=RuntimeError(str(outcome.error) if outcome else ""),
            detail=outcome.detail if outcome else "",
        )
        return packer.pack(Answer(answer.number, None, plain, answer.retires))


def _outcome(error: Exception, memory_bytes: int | None) -> Outcome:
    if isinstance(error, Cancelled):
        return Outcome(Ending.CANCELLED)
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        return Outcome(Ending.OUT_OF_MEMORY, memory_bytes=memory_bytes, detail=trace)
    bare = error.with_traceback(None)
    if isinstance(error, ExpectedError | BackendError):
        return Outcome(Ending.REFUSED, error=bare, detail=trace)
    return Outcome(Ending.ERROR, error=bare, detail=trace)


class _PipeContext:
    """Context of one request. Whatever comes through the pipe meanwhile means: stop."""

    def __init__(self, number: int, pipe: Connection, packer: Packer) -> None:
        self._number = number
        self._pipe = pipe
        self._packer = packer
        self.retired = False

    @property
    def cancelled(self) -> bool:
        return self._pipe.poll()

    def progress(self, message: object) -> None:
        self._pipe.send_bytes(self._packer.pack(Ahead(self._number, message)))

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled

    def allow(self, seconds: float | None = None) -> None:
        self._pipe.send_bytes(self._packer.pack(Allowance(self._number, seconds)))

    def retire(self) -> None:
        self.retired = True
