# SPDX-License-Identifier: MIT
"""Handlers for the worker's tests, each with its own way to go wrong."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from threadloom.backends.base import LaunchError
from threadloom.model.message import literal
from threadloom.worker.outcome import ExpectedError
from threadloom.worker.protocol import Context


@dataclass(frozen=True)
class Arrays:
    """A value with arrays in it, large and small."""

    large: npt.NDArray[Any]
    named: dict[str, npt.NDArray[Any]]
    text: str


class UnpicklableError(Exception):
    """Cannot be told to another process as it is."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)
        self.stream = sys.stdin


def double(request: Any, _context: Context) -> object:
    return request * 2


def count_up(request: object, context: Context) -> object:
    """Send the number ahead, then give its double; ``die`` ends the process, ``wait`` waits."""
    assert isinstance(request, (int, str))
    if request == "die":
        raise SystemExit(3)
    context.progress(request)
    while request == "wait" and not context.cancelled:
        pass
    return request if isinstance(request, str) else 2 * request


def behave(request: str, context: Context) -> object:
    """Do what the request says, then go wrong or not."""
    return _BEHAVIORS[request](context)


def _loop(context: Context) -> object:
    context.progress(os.getpid())
    while True:
        pass


def _yields(context: Context) -> object:
    context.progress("started")
    while not context.cancelled:
        time.sleep(0.001)
    return "so far"


def _yields_late(context: Context) -> object:
    """End what is in hand, which takes longer than a window would wait."""
    so_far = _yields(context)
    time.sleep(0.5)
    return so_far


def _waits_for_sigcont(context: Context) -> object:
    """Wait to be continued after a stop, whichever thread the signal goes to."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCONT, lambda _number, _frame: None)
    signal.set_wakeup_fd(writing)
    context.progress(os.getpid())
    os.read(reading, 1)
    return "continued"


def _prepares(context: Context) -> object:
    """Take longer than the time limit, but with leave."""
    context.extend_deadline(60.0)
    time.sleep(0.4)
    context.extend_deadline()
    return _loop(context)


def _checks(context: Context) -> object:
    context.progress("started")
    while True:
        context.check()


def _segfault(_context: Context) -> object:
    return ctypes.cast(8, ctypes.POINTER(ctypes.c_int)).contents.value


def _hog(_context: Context) -> object:
    held = [np.ones(1 << 24, np.uint8) for _piece in range(1024)]
    return len(held)


def _raises(_context: Context) -> object:
    raise ZeroDivisionError("nobody thought of this")


def _refuses(_context: Context) -> object:
    raise ExpectedError("n is 0; at least 1 is needed")


def _refuses_launch(context: Context) -> object:
    context.recycle()
    raise LaunchError(literal("an illegal access"), context_lost=True)


def _unpicklable(_context: Context) -> object:
    raise UnpicklableError("a", "b")


def _prints(_context: Context) -> object:
    print("from Python")
    os.write(1, b"from C\n")
    print("to stderr", file=sys.stderr)
    return "printed"


def _prints_and_aborts(context: Context) -> object:
    _prints(context)
    sys.stdout.flush()
    os.abort()


def _arrays(_context: Context) -> object:
    large = np.arange(1_000_000, dtype=np.float64).reshape(1000, 1000)
    return Arrays(large, {"mask": large > 5, "small": np.arange(3), "turned": large.T}, "hello")


def _arrays_then_abort(context: Context) -> object:
    """Die with a segment that was made but never announced."""
    serialize = context._serializer.serialize  # type: ignore[attr-defined]
    context.progress(np.zeros(1_000_000))
    serialize(np.ones(1_000_000))
    os.abort()


def _starts_program(context: Context) -> object:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as program:
        context.progress(program.pid)
        return program.wait()


_BEHAVIORS: dict[str, Callable[[Context], object]] = {
    "loop": _loop,
    "yields": _yields,
    "yields late": _yields_late,
    "waits for SIGCONT": _waits_for_sigcont,
    "prepares": _prepares,
    "checks": _checks,
    "segfault": _segfault,
    "abort": lambda _context: os.abort(),
    "exit": lambda _context: os._exit(7),
    "kill": lambda _context: os.kill(os.getpid(), signal.SIGKILL),
    "hog": _hog,
    "raises": _raises,
    "refuses": _refuses,
    "refuses launch": _refuses_launch,
    "unpicklable error": _unpicklable,
    "unpicklable result": lambda _context: lambda: None,
    "prints": _prints,
    "prints and aborts": _prints_and_aborts,
    "arrays": _arrays,
    "arrays then abort": _arrays_then_abort,
    "starts program": _starts_program,
    "pid": lambda _context: os.getpid(),
}
