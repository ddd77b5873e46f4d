# SPDX-License-Identifier: MIT
"""What a point of the canvas stands for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from threadloom.model.launch import ThreadId


class TargetKind(Enum):
    """Kinds of things on the canvas."""

    BLOCK = auto()
    THREAD = auto()
    ELEMENT = auto()
    SLICE = auto()
    OUT_OF_BOUNDS = auto()


@dataclass(frozen=True, slots=True)
class Target:
    """One thing on the canvas."""

    kind: TargetKind
    number: int
    """Linear number of the block, thread in its block, element or slice; an index outside."""
    thread: ThreadId | None
    """The thread to select; None for an element that nobody wrote."""
