# SPDX-License-Identifier: MIT
"""A block's coordinates for a user."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.text import count


def block_words(block: Dim3, launch: Launch) -> str:
    """As many coordinates as the grid has axes in use: ``2``, ``(13, 22)``."""
    used = tuple(block)[: launch.grid.rank]
    return count(used[0]) if len(used) == 1 else f"({', '.join(map(str, used))})"
