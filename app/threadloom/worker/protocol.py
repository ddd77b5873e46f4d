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
        """Whether nobody waits for the result any more; cheap, to be looked at between steps."""
        ...

    def progress(self, message: object) -> None:
        """Send a message ahead of the result."""
        ...

    def check(self) -> None:
        """Raise `Cancelled` if nobody waits for the result any more."""
        ...

    def allow(self, seconds: float | None = None) -> None:
        """Start the deadline's clock again, with so many seconds or the request's own deadline.

        For work that is not what the deadline is meant for, such as compiling.
        """
        ...

    def retire(self) -> None:
        """Have this child replaced after the answer: something in it cannot be fixed."""
        ...


Handler = Callable[[Any, Context], object]
"""An importable function: result from request and context. Its module is imported ahead of need,
and a function ``prepare()`` of the module is called in the child, if there is one."""


class Cancelled(Exception):  # noqa: N818 - a wish, not an error
    """Raised by `Context.check`."""


@dataclass(frozen=True, slots=True)
class Order:
    """To the child: handle this."""

    number: int
    request: object


@dataclass(frozen=True, slots=True)
class Stop:
    """To the child: the running request is no longer wanted."""


@dataclass(frozen=True, slots=True)
class Ready:
    """From the child: imports are done."""


@dataclass(frozen=True, slots=True, eq=False)
class Ahead:
    """From the child: a message of the handler."""

    number: int
    message: object


@dataclass(frozen=True, slots=True)
class Allowance:
    """From the child: so many seconds from now, or the request's own deadline again if None."""

    number: int
    seconds: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """From the child: the end of a request; ``outcome`` is None if there is a result."""

    number: int
    result: object = None
    outcome: Outcome | None = None
    retires: bool = False
    """Whether the child leaves after this."""
