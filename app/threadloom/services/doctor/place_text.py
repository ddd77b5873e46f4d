# SPDX-License-Identifier: MIT
"""Threads and places as text."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch, ThreadId
from threadloom.model.message import Message, _, count, joined


def coordinates(at: Dim3, extents: Dim3) -> Message:
    """Coordinates with as many axes as the extents have: ``7``, ``(3, 0)``."""
    values = tuple(at)[: extents.rank]
    return joined(map(count, values), ", ", "{}" if extents.rank == 1 else "({})")


def thread_text(launch: Launch, thread: ThreadId) -> Message:
    """A thread for a user: ``block 1, thread (3, 0)``."""
    return _("block {block}, thread {thread}").format(
        block=coordinates(thread.block, launch.grid),
        thread=coordinates(thread.thread, launch.block),
    )
