# SPDX-License-Identifier: MIT
"""Messages in the two pipes between supervisor and child."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from threadloom.worker.outcome import Outcome


class Context(Protocol):
    """What a handler gets beside its request."""

    @property
    def cancelled(self) -> bool:
        """Whether the result is no longer wanted; cheap, to be polled between steps."""
        ...

    def progress(self, message: object) -> None:
        """Send a message ahead of the result."""
        ...

    def check(self) -> None:
        """Raise `Cancelled` if the result is no longer wanted."""
        ...

    def extend_deadline(self, seconds: float | None = None) -> None:
        """Give this many seconds of wall-clock time from now, or the request's own limit again.

        For work that the time limit is not meant for, such as compiling.
        """
        ...

    def recycle(self) -> None:
        """Have this child replaced after the answer, as something in it cannot be repaired."""
        ...


Handler = Callable[[Any, Context], object]
"""An importable function: result from request and context. Its module is imported ahead of need,
and a function ``prepare()`` of the module is called in the child, if there is one."""


class Cancelled(Exception):  # noqa: N818 - a wish, not an error
    """Raised by `Context.check`."""


@dataclass(frozen=True, slots=True)
class Task:
    """To the child: handle this request."""

    number: int
    request: object


@dataclass(frozen=True, slots=True)
class Stop:
    """To the child: the running request is no longer wanted."""


@dataclass(frozen=True, slots=True)
class Ready:
    """From the child: imports are done."""


@dataclass(frozen=True, slots=True, eq=False)
class ProgressMessage:
    """From the child: what the handler sends ahead of its result."""

    number: int
    message: object


@dataclass(frozen=True, slots=True)
class DeadlineExtension:
    """From the child: the time limit from now on; the request's own again if None."""

    number: int
    seconds: float | None
    """Of wall-clock time."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """From the child: the end of a request; ``outcome`` is None if there is a result."""

    number: int
    result: object = None
    outcome: Outcome | None = None
    recycles: bool = False
    """Whether the child exits after this."""
