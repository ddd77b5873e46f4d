# SPDX-License-Identifier: MIT
from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from types import ModuleType

import pytest

from threadloom.worker.event import Event
from threadloom.worker.supervisor import Supervisor
from threadloom.worker.time_limit import Clock, TimeLimit

LIMIT_S = 20.0
"""How long any event may take on a busy machine before a test gives up."""


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The handlers as a module that a child can import, too."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("worker_handlers")


class Desk:
    """A supervisor with its events in a queue."""

    def __init__(self, handlers: ModuleType, memory_bytes: int | None = None) -> None:
        self.events: Queue[Event] = Queue()
        self._numbers = itertools.count(1)
        self.supervisor = Supervisor(
            handlers.behave, on_event=self.events.put, memory_bytes=memory_bytes
        )

    def submit(self, request: str, limit_s: float = LIMIT_S, clock: Clock = Clock.WALL) -> int:
        number = next(self._numbers)
        self.supervisor.submit(number, request, TimeLimit(limit_s, clock))
        return number

    def next(self) -> Event:
        return self.events.get(timeout=LIMIT_S)


@pytest.fixture
def desk(handlers: ModuleType) -> Iterator[Desk]:
    desk = Desk(handlers)
    yield desk
    desk.supervisor.close()


@pytest.fixture
def desk_type() -> type[Desk]:
    return Desk
