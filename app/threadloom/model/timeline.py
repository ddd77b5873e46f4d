# SPDX-License-Identifier: MIT
"""When and where each block of a launch ran."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.array import Array
from threadloom.model.provenance import Provenance


@dataclass(frozen=True, slots=True, eq=False)
class BlockTimeline:
    """One entry a block, by linear block number. Times are seconds from the launch's start.

    At a grid of more blocks than ``stride`` allows, every ``stride``-th block is held; block ``b``
    is then at ``b // stride``.
    """

    sm: Array
    """int32, number of the SM."""
    start_s: Array
    """float64."""
    end_s: Array
    """float64."""
    wave: Array
    """int32, wave from 0."""
    slots: int
    """Blocks that the device holds at once."""
    waves: int
    duration_s: float
    provenance: Provenance
    blocks: int
    """Blocks of the launch."""
    stride: int = 1
