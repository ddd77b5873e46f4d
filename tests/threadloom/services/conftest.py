# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from threadloom.worker.protocol import Cancelled


class Listener:
    """A handler's context in this process: keeps what is sent ahead."""

    def __init__(self) -> None:
        self.messages: list[object] = []
        self.allowed: list[float | None] = []
        self.recycled = False
        self.cancel_after: int | None = None
        """Wish to stop once so many messages have come."""

    @property
    def cancelled(self) -> bool:
        return self.cancel_after is not None and len(self.messages) >= self.cancel_after

    def progress(self, message: object) -> None:
        self.messages.append(message)

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled

    def extend_deadline(self, seconds: float | None = None) -> None:
        self.allowed.append(seconds)

    def recycle(self) -> None:
        self.recycled = True


@pytest.fixture
def listener() -> Listener:
    return Listener()
