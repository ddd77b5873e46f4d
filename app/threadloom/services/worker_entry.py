# SPDX-License-Identifier: MIT
"""The handler that runs in the child. Light to import: the parent only names it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadloom.services.dispatcher import Executor
    from threadloom.services.messages.message import Request, Result
    from threadloom.worker.protocol import Context


@cache
def _executor() -> Executor:
    """The one of this process: a child serves one window or command."""
    from threadloom.services.dispatcher import Executor

    return Executor()


def prepare() -> None:
    """Do ahead of the first request what every request needs; the child calls it when it starts."""
    from threadloom.services.doctor.diagnose import finders
    from threadloom_kernels import discover

    _executor()
    discover()
    finders()


def handle(request: Request, context: Context) -> Result:
    """Answer one request; what a `threadloom.worker.pool.Pool` takes.

    Raises:
        JobError: If the job means nothing.
        CaseError: If the case means nothing.
        EngineUnavailableError: If the engine asked for is not here.
    """
    return _executor().answer(request, context)
