# SPDX-License-Identifier: MIT
"""Colors of one block's threads, and which of them do nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from threadloom.presentation.mapping.drawing_state import DrawingState
from threadloom.presentation.mapping.modes import DataColor
from threadloom.presentation.mapping.shading import Flags, Shading, block_colors, element_colors
from threadloom.presentation.mapping.warp_lattice import WarpLattice


def written_by_threads(drawing: DrawingState, block: int) -> npt.NDArray[np.int64]:
    """The element that each thread of a block wrote last; -1 for none."""
    model = drawing.model
    result = np.full(model.launch.threads_per_block, -1, dtype=np.int64)
    elements = model.elements_of_block(block)
    if elements.size and model.coverage is not None:
        first = block * model.launch.threads_per_block
        result[model.coverage.owner[elements] - first] = elements
    return result


def idle_threads(drawing: DrawingState, elements: npt.NDArray[np.int64]) -> Flags:
    """Threads that the guard switched off.

    With the block's accesses at hand, those without any; else those without an element, where
    the launch gives each thread one.
    """
    model = drawing.model
    trace = model.trace_of(drawing.block)
    if trace is not None:
        idle = np.ones(elements.shape, dtype=np.bool_)
        idle[trace.thread] = False
        return idle
    one_each = model.coverage is not None and 2 * model.coverage.written > (
        model.launch.threads - model.launch.threads_per_block
    )
    return (elements < 0) if one_each else np.zeros(elements.shape, dtype=np.bool_)


def shade_threads(drawing: DrawingState, lattice: WarpLattice) -> tuple[Shading, Flags]:
    """Colors of the block's threads, and which threads are only outlined."""
    model, palette = drawing.model, drawing.palette
    number = drawing.block_number
    elements = written_by_threads(drawing, number)
    idle = idle_threads(drawing, elements)
    owns = elements >= 0
    blocks = np.full(elements.shape, number, dtype=np.int64)
    start, end = model.block_times(blocks)
    base = block_colors(model, palette, drawing.blocks_by, blocks)
    final, changed = base.copy(), end.copy()
    if owns.any():
        written = model.written_at(elements[owns])
        changed[owns] = written
        if drawing.data_by is not DataColor.OWNER:
            modes = (drawing.blocks_by, drawing.data_by)
            final[owns] = element_colors(model, palette, modes, elements[owns], written)
            final[owns] = np.where(
                model.multiple_writers[elements[owns]][:, None]
                & (drawing.data_by is DataColor.TIMES),
                palette.multiple_writers,
                final[owns],
            )
    shape = (lattice.rows, lattice.columns)
    stages = (palette.waiting(base), palette.running(base), final)
    none = np.zeros(shape, dtype=np.bool_)
    present = np.zeros(lattice.rows * lattice.columns, dtype=np.bool_)
    present[: len(idle)] = ~idle
    shading = Shading(
        tuple(_framed(stage, shape) for stage in stages),
        tuple(np.moveaxis(_framed(when[:, None], shape), -1, 0) for when in (start, changed)),
        present.reshape(shape),
        none,
        none,
        _framed(base, shape),
    )
    return shading, idle


def _framed(values: npt.NDArray[np.float32], shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Lay one row of values per thread out in rows and columns, zeros at the end."""
    rows, columns = shape
    result = np.zeros((rows * columns, values.shape[1]), dtype=np.float32)
    result[: len(values)] = values
    return result.reshape(rows, columns, -1)
