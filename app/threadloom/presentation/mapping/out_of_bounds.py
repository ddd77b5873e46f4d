# SPDX-License-Identifier: MIT
"""Accesses outside the array that are known one by one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from threadloom.model.launch import ThreadId
from threadloom.model.trace import BlockTrace
from threadloom.presentation.mapping.mapping_model import MappingModel


class Side(Enum):
    """Ends of an array."""

    BEFORE = auto()
    PAST = auto()


@dataclass(frozen=True, slots=True)
class Stray:
    """One index outside the array, and the thread that was seen to use it first."""

    index: int
    thread: ThreadId
    line: int

    @property
    def side(self) -> Side:
        """Where it lies."""
        return Side.BEFORE if self.index < 0 else Side.PAST


def strays(model: MappingModel) -> list[Stray]:
    """Indices outside the selected array that are known one by one, ascending.

    Those are the first of each place in the source, and all of the block whose accesses are kept.
    """
    found = {one.index: Stray(one.index, one.thread, one.line) for one in model.beyond}
    if model.block_trace is not None and model.beyond:
        found = {one.index: one for one in _of_block(model, model.block_trace)} | found
    return [found[index] for index in sorted(found)]


def _of_block(model: MappingModel, trace: BlockTrace) -> list[Stray]:
    number = trace.arrays.index(model.array) if model.array in trace.arrays else -1
    out_of_bounds = (trace.element < 0) | (trace.element >= model.elements)
    rows = np.flatnonzero(out_of_bounds & (trace.array == number))
    _indices, first = np.unique(trace.element[rows], return_index=True)
    return [
        Stray(
            int(trace.element[row]),
            ThreadId(trace.block, model.launch.block.at(int(trace.thread[row]))),
            model.sites[int(trace.site[row])].line,
        )
        for row in rows[first]
    ]
