# SPDX-License-Identifier: MIT
"""Exit statuses of every command."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What the exit status says."""

    DONE = 0
    FAULT = 1
    """The launch or the check found a fault, or the kernel did not come to an end."""
    UNUSABLE = 2
    """The arguments cannot be used."""
    NOT_HERE = 3
    """The engine asked for is not on this machine."""
    INTERRUPTED = 130
    """Stopped with Ctrl-C (128 and the signal's number, as shells have it)."""
