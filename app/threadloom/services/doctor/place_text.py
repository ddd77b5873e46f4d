# SPDX-License-Identifier: MIT
"""Threads and places as words."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.message import Message, _, count


def coordinates(at: Dim3, extents: Dim3) -> str:
    """Coordinates with as many axes as the extents have: ``7``, ``(3, 0)``."""
    values = tuple(at)[: extents.rank]
    joined = ", ".join(count(value) for value in values)
    return joined if extents.rank == 1 else f"({joined})"


def thread_words(launch: Launch, thread: ThreadId) -> Message:
    """A thread for a user: ``block 1, thread (3, 0)``."""
    return _("block {block}, thread {thread}").format(
        block=coordinates(thread.block, launch.grid),
        thread=coordinates(thread.thread, launch.block),
    )
