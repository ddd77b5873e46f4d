# SPDX-License-Identifier: MIT
"""Where one launch stands in a figure, and the marks that are drawn around it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from threadloom.services.bench.ranking import Rank
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.ui.figures.pages.themed_painter import ThemedPainter


@dataclass(frozen=True, slots=True)
class Cell:
    """The place of one launch, in the units of the figure."""

    rect: QRectF
    point: LaunchPoint
    rank: Rank

    @property
    def is_first(self) -> bool:
        """Whether it is the fastest, or has the model's shortest time."""
        return self.rank in {Rank.FASTEST, Rank.LEAST}


def draw_frame(painter: ThemedPainter, rect: QRectF, tone: str, width: float = 2.0) -> None:
    """A frame inside a cell that shows on any fill: a line of the canvas lies within it."""
    painter.box(rect.adjusted(width, width, -width, -width), None, "bg-canvas", 1, 1)
    painter.box(rect, None, tone, 2, width)
