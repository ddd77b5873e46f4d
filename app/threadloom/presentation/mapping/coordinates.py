# SPDX-License-Identifier: MIT
"""Blocks and threads as a user names them."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3


def coordinates(at: Dim3, extent: Dim3) -> str:
    """A block or thread as a user names it: a number in a row, else its axes in use."""
    if extent.rank == 1:
        return str(at.x)
    return "(" + ", ".join(str(value) for value in tuple(at)[: extent.rank]) + ")"
