# SPDX-License-Identifier: MIT
"""Where the three panes of the canvas lie, in device-independent pixels."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect

SIDE = 16
LABELS = 40
"""Width of the warps' names."""
SHORT_BELOW = 240
"""A canvas that is less high has its legends beside the data, and no statements."""
LEGEND_COLUMN = 236
CAPTION = 18
"""Room below the data for what is said of it."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Panes of one canvas; titles lie above, captions and legends below."""

    grid: QRect
    block: QRect
    """Threads and statements, without the warps' names on their left."""
    data: QRect
    legend: QRect | None
    """A column at the right for all legends, where the canvas is short."""
    title_y: int

    @property
    def short(self) -> bool:
        """Whether the legends have a column of their own."""
        return self.legend is not None


def arrange(width: int, height: int, scale: float, *, operands: bool) -> Arrangement:
    """Share a canvas out; ``operands`` asks for more room for the data."""
    short = height < SHORT_BELOW
    title_y = round(14 * scale) if short else round(18 * scale)
    top = round((32 if short else 46) * scale)
    bottom = height - round((10 if short else 32) * scale)
    legend = None
    inner = width - 2 * SIDE
    if short:
        room = min(LEGEND_COLUMN, inner // 4)
        legend = QRect(width - SIDE - room, top, room, max(1, bottom - top))
        inner -= room + SIDE
    gaps = 34 + 46
    labels = round(LABELS * scale)
    free = inner - gaps - labels
    shares = (0.31, 0.30) if operands else (0.3225, 0.40)
    grid = round(free * shares[0])
    block = min(round(free * shares[1]), 480)
    data_left = SIDE + grid + 34 + labels + block + 46
    panes = max(1, bottom - top)
    caption = 0 if short else round(CAPTION * scale)
    return Arrangement(
        grid=QRect(SIDE, top, max(1, grid), panes),
        block=QRect(SIDE + grid + 34 + labels, top, max(1, block), panes),
        data=QRect(data_left, top, max(1, SIDE + inner - data_left), max(1, panes - caption)),
        legend=legend,
        title_y=title_y,
    )
