# SPDX-License-Identifier: MIT
"""Colors of cells over time: what does not depend on the time is computed once.

A block waits, runs and is done; an element is not written and is written. So each cell changes at
most twice, and a frame is two comparisons and one mixture per drawn cell, however many blocks or
elements the drawn cell stands for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from threadloom.presentation.mapping.colormap import Colors, packed
from threadloom.presentation.mapping.lattice import Indices, Lattice
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase, Times
from threadloom.presentation.mapping.modes import BlockColor, DataColor
from threadloom.presentation.mapping.palette import WAVES, Palette

SAMPLES = 4
"""Blocks or elements whose colors are averaged where a pixel stands for many."""

Words = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Shading:
    """Colors of the cells in sight, (rows, columns, 3), and when they change."""

    stages: tuple[Colors, ...]
    """Two or three colors of each cell."""
    changes: tuple[Times, ...]
    """When each sample of a cell reaches the next stage: (samples, rows, columns)."""
    present: Flags
    """Where there is a cell at all."""
    never: Flags
    """Cells with an element that nobody wrote."""
    multiple_writers: Flags
    """Cells with an element that several threads stored to."""
    frame: Colors | None = None
    """Color around a running cell, where that is pale; None where cells do not run."""

    def at(self, time_s: float, fade_s: float = 0.0) -> Colors:
        """Colors at a time; a change takes ``fade_s``."""
        colors = self.stages[0]
        for stage, when in zip(self.stages[1:], self.changes, strict=True):
            share = _reached(when, time_s, fade_s)
            colors = colors + (stage - colors) * share[..., None]
        return colors

    def running(self, time_s: float) -> Flags | None:
        """Cells that have started and not ended; None where cells only are written or not."""
        if self.frame is None:
            return None
        start, end = self.changes[0][0], self.changes[1][0]
        now = np.float32(time_s)
        return np.asarray((start <= now) & (end > now) & self.present)

    def words(self, time_s: float, background: Colors, fade_s: float = 0.0) -> Words:
        """Packed colors at a time, with one more row and column of background.

        So that a pixel that belongs to no cell, number -1, finds the background there.
        """
        words = packed(self.at(time_s, fade_s))
        paper = packed(background)
        words[~self.present] = paper
        rows, columns = words.shape
        result = np.full((rows + 1, columns + 1), paper, dtype=np.uint32)
        result[:rows, :columns] = words
        return result


def _reached(when: Times, time_s: float, fade_s: float) -> npt.NDArray[np.float32]:
    samples = np.float32(len(when))
    if fade_s > 0:
        share = np.clip((np.float32(time_s) - when) / np.float32(fade_s), 0, 1)
        return np.asarray(share.sum(axis=0) / samples, dtype=np.float32)
    reached = np.add.reduce(when <= np.float32(time_s), axis=0, dtype=np.uint8)
    return np.asarray(reached / samples, dtype=np.float32)


def _filled(cells: Indices) -> tuple[Indices, Flags]:
    """Put samples first, (samples, rows, columns), and in a missing one's place the cell's first.

    Adding up over the first axis is several times faster than over a short last one.
    """
    by_sample = np.ascontiguousarray(np.moveaxis(cells, -1, 0))
    first = by_sample[0]
    present: Flags = first >= 0
    if by_sample.min(initial=0) < 0:
        by_sample = np.where(by_sample < 0, np.maximum(first, 0), by_sample)
    return by_sample, present


def _mean(colors: Colors) -> Colors:
    """Average over the samples of each cell."""
    if len(colors) == 1:
        return np.asarray(colors[0], dtype=np.float32)
    return np.asarray(colors.mean(axis=0, dtype=np.float32), dtype=np.float32)


def block_colors(
    model: MappingModel, palette: Palette, mode: BlockColor, blocks: Indices
) -> Colors:
    """Full colors of blocks."""
    timeline = model.timeline
    if timeline is None or not timeline.start_s.size or mode is BlockColor.STATE:
        return np.broadcast_to(palette.waves[0], (*blocks.shape, 3))
    at = model.timeline_index(blocks)
    if mode is BlockColor.WAVE:
        return np.asarray(palette.waves[timeline.wave[at] % WAVES], dtype=np.float32)
    sms = model.device.sm_count if model.device else int(timeline.sm.max()) + 1
    return palette.along(timeline.sm[at] / max(1, sms - 1))


def shade_blocks(
    model: MappingModel, palette: Palette, mode: BlockColor, lattice: Lattice
) -> Shading:
    """Colors of the grid's blocks."""
    blocks, present = _filled(lattice.samples(SAMPLES))
    full = _mean(block_colors(model, palette, mode, blocks))
    start, end = model.block_times(blocks)
    nothing = np.zeros(present.shape, dtype=np.bool_)
    stages = (palette.waiting(full), palette.running(full), full)
    return Shading(stages, (start, end), present, nothing, nothing, full)


def element_colors(
    model: MappingModel,
    palette: Palette,
    modes: tuple[BlockColor, DataColor],
    elements: Indices,
    written: Times,
) -> Colors:
    """Full colors of elements that are written."""
    by_block, by = modes
    if by is DataColor.TIMES or model.coverage is None:
        return np.broadcast_to(palette.once, (*elements.shape, 3))
    if by is DataColor.WHEN:
        return palette.along(written / np.float32(max(model.duration_s, 1e-12)))
    blocks = model.block_of(elements)
    if by_block is BlockColor.STATE:
        return palette.cycle[blocks % len(palette.cycle)]
    return block_colors(model, palette, by_block, blocks)


def shade_elements(
    model: MappingModel,
    palette: Palette,
    modes: tuple[BlockColor, DataColor],
    lattice: Lattice,
) -> Shading:
    """Colors of the array's elements."""
    elements, present = _filled(lattice.samples(SAMPLES))
    written = model.written_at(elements)
    full = _mean(element_colors(model, palette, modes, elements, written))
    idle = np.broadcast_to(palette.idle, full.shape)
    if modes[1] is DataColor.OWNER and model.coverage is not None:
        idle = palette.waiting(full)
    never = _flags(model.never, model.some_never, lattice, present)
    multiple_writers = _flags(model.multiple_writers, model.some_multiple_writers, lattice, present)
    return Shading((idle, full), (written,), present, never, multiple_writers)


def _flags(flags: Flags, some: bool, lattice: Lattice, present: Flags) -> Flags:
    return lattice.any(flags) & present if some else np.zeros(present.shape, dtype=np.bool_)


def faults_show(model: MappingModel, time_s: float) -> bool:
    """Whether elements that nobody wrote are marked: only when the run is over."""
    return model.phase is Phase.REFUSED or (
        model.coverage is not None and time_s >= model.duration_s
    )
