# SPDX-License-Identifier: MIT
"""What the run controller has in hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from threadloom.services.messages.message import Request


class Kind(Enum):
    """What a request is for."""

    DEVICES = auto()
    RUN = auto()
    LOOK = auto()
    RESOURCES = auto()
    JOURNEY = auto()
    SWEEP = auto()


BESIDE = frozenset({Kind.LOOK, Kind.RESOURCES, Kind.JOURNEY})
"""Done by itself for a run that is shown already: without it, the run is as it was."""


@dataclass(slots=True)
class Task:
    """A request that the worker, or a team of several, has in hand."""

    kind: Kind
    number: int
    request: Request
    overdue: bool = False
    """It ran past the kernel's limit."""
    stopped: bool = False
    """A user wanted it to end."""
    shown: bool = False
    """Its result is shown already; only its times are still to come."""
