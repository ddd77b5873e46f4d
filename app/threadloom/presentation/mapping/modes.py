# SPDX-License-Identifier: MIT
"""What the colors of the mapping say, and how many axes it is laid out in."""

from __future__ import annotations

from enum import Enum


class BlockColor(Enum):
    """What colors a block."""

    STATE = "state"
    WAVE = "wave"
    SM = "sm"


class DataColor(Enum):
    """What colors an element."""

    OWNER = "owner"
    """The block that wrote it last."""
    WHEN = "when"
    """The time at which it was written."""
    TIMES = "times"
    """How many times it was written."""


class Rank(Enum):
    """Axes that grid and data are laid out in."""

    ONE = 1
    TWO = 2
    THREE = 3
