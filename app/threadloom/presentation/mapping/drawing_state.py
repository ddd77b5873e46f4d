# SPDX-License-Identifier: MIT
"""What the mapping shows at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.presentation.mapping.modes import BlockColor, DataColor, Rank
from threadloom.presentation.mapping.palette import Palette
from threadloom.presentation.mapping.shading import faults_show


@dataclass(frozen=True, eq=False)
class DrawingState:
    """What is shown of a launch, in which colors, and which thread is selected."""

    palette: Palette
    model: MappingModel
    blocks_by: BlockColor = BlockColor.WAVE
    data_by: DataColor = DataColor.WHEN
    rank: Rank = Rank.ONE
    ratio: float = 1.0
    """Device pixels of a device-independent one."""
    time_s: float = 0.0
    fade_s: float = 0.0
    """Time that a cell takes to change its color."""
    thread: ThreadId | None = None
    """The selected thread."""
    slice: int = 0
    """z of the data's slice, of a solid."""

    @property
    def block(self) -> Dim3:
        """The block that the middle pane shows: the selected one, else the first."""
        return self.thread.block if self.thread else Dim3(0, 0, 0)

    @property
    def block_number(self) -> int:
        """Its linear number."""
        return self.model.launch.grid.linear(self.block)

    @property
    def faults(self) -> bool:
        """Whether elements that nobody wrote are marked."""
        return faults_show(self.model, self.time_s)
