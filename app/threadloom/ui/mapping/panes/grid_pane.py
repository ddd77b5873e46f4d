# SPDX-License-Identifier: MIT
"""The pane of blocks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QPainter

from threadloom.model.dim3 import Dim3
from threadloom.presentation.mapping.coordinates import coordinates
from threadloom.presentation.mapping.fitting import LookToLattice, Room, Viewport
from threadloom.presentation.mapping.lattice import Lattice
from threadloom.presentation.mapping.level_of_detail import detail_of
from threadloom.presentation.mapping.modes import Rank
from threadloom.presentation.mapping.shading import shade_blocks
from threadloom.text import _, count, ngettext
from threadloom.ui.mapping.painting.annotations import text, text_width
from threadloom.ui.mapping.painting.cell_image import CellPicture, gap_of
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.theme.theme import Role

LARGEST = 56
"""Device-independent pixels of a block where there are few."""
LABEL_FROM = 30
"""Cells from this size on hold their number."""


class GridPane:
    """Blocks of the launch, colored by state, wave or SM."""

    def __init__(self, drawing: Drawing, area: QRect, viewport: Viewport) -> None:
        self._drawing = drawing
        self.area = area
        self.lattice_of = _lattices(drawing, area)
        self._before = viewport.detail
        base = self._plane_start()
        self.lattice: Lattice = self.lattice_of(viewport, base)
        shading = shade_blocks(drawing.model, drawing.palette, drawing.blocks_by, self.lattice)
        self.picture = CellPicture(
            area.topLeft(),
            drawing.ratio,
            self.lattice,
            shading,
            drawing.palette,
            gap_of(self.lattice.pitch, drawing.ratio, viewport.detail),
        )

    @property
    def detail(self) -> int:
        """Level of detail."""
        return detail_of(self.lattice.pitch / self._drawing.ratio, self._before)

    @property
    def cells(self) -> QRectF:
        """What the cells take of the area."""
        return _in_area(self.lattice, self.area, self._drawing.ratio)

    def block_at(self, point: QPointF) -> Dim3 | None:
        """Block under a point."""
        if not QRectF(self.area).contains(point):
            return None
        index = self.picture.index_at(point)
        return None if index is None else self._drawing.model.launch.grid.at(index)

    def rect_of(self, block: Dim3) -> QRectF | None:
        """Where a block lies, if it is in sight."""
        grid = self._drawing.model.launch.grid
        rect = self.picture.rect_of(grid.linear(block))
        return rect if QRectF(self.area).adjusted(-1, -1, 1, 1).contains(rect) else None

    def title(self) -> tuple[str, str]:
        """Name of the pane, and how many blocks there are."""
        grid = self._drawing.model.launch.grid
        blocks = ngettext("{n} block", "{n} blocks", grid.count).format(n=count(grid.count))
        if grid.rank == 1:
            return _("Grid"), blocks
        extents = " × ".join(count(value) for value in tuple(grid)[: grid.rank])
        return _("Grid"), _("{extents} = {blocks}").format(extents=extents, blocks=blocks)

    def paint(self, painter: QPainter, drawing: Drawing) -> None:
        """Draw the cells, and their numbers where they are large."""
        image = self.picture.image(drawing.time_s, faults=False, fade_s=drawing.fade_s)
        painter.drawImage(self.area.topLeft(), image)
        if self.lattice.pitch / drawing.ratio >= LABEL_FROM:
            self._paint_numbers(painter, drawing)
        if self._two_axes() and self.area.top() > 40:
            self._paint_axis(painter, drawing)

    def _paint_numbers(self, painter: QPainter, drawing: Drawing) -> None:
        grid = drawing.model.launch.grid
        for index in range(min(grid.count, 400)):
            rect = self.picture.rect_of(index)
            if QRectF(self.area).contains(rect):
                words = coordinates(grid.at(index), grid).strip("()")
                width = text_width(drawing.appearance, words)
                if width + 4 < rect.width():
                    at = QPointF(rect.center().x() - width / 2, rect.center().y())
                    tone = "text" if self._waits(index) else "bg-canvas"
                    text(painter, drawing.appearance, at, words, tone)

    def _waits(self, index: int) -> bool:
        timeline = self._drawing.model.timeline
        if timeline is None or not timeline.start_s.size:
            return True
        at = min(index // timeline.stride, timeline.start_s.size - 1)
        return bool(timeline.start_s[at] > self._drawing.time_s)

    def _paint_axis(self, painter: QPainter, drawing: Drawing) -> None:
        """First, last and selected x above the cells."""
        grid = drawing.model.launch.grid
        y = self.area.top() - 9
        marks = {0: "text-3", grid.x - 1: "text-3"}
        if drawing.thread:
            marks[drawing.thread.block.x] = "focus"
        taken: list[tuple[float, float]] = []
        for x, tone in sorted(marks.items(), key=lambda item: item[1]):
            rect = self.picture.rect_of(x)
            width = text_width(drawing.appearance, count(x))
            left = rect.center().x() - width / 2
            if any(left < right + 4 and left + width > start - 4 for start, right in taken):
                continue
            taken.append((left, left + width))
            text(painter, drawing.appearance, QPointF(left, y), count(x), tone, Role.CAPTION)

    def _two_axes(self) -> bool:
        return self._drawing.rank is not Rank.ONE and self._drawing.model.launch.grid.rank > 1

    def _plane_start(self) -> int:
        grid = self._drawing.model.launch.grid
        if self._drawing.rank is not Rank.THREE or grid.rank < 3:
            return 0
        return self._drawing.block.z * grid.x * grid.y


def _lattices(drawing: Drawing, area: QRect) -> LookToLattice:
    grid = drawing.model.launch.grid
    ratio = drawing.ratio
    room = Room(
        max(1, int(area.width() * ratio)), max(1, int(area.height() * ratio)), int(LARGEST * ratio)
    )
    total = max(1, grid.count)
    if drawing.rank is Rank.ONE or grid.rank == 1:
        return LookToLattice(total, None, room, 1)
    rows = grid.y if drawing.rank is Rank.THREE else grid.y * grid.z
    return LookToLattice(total, (max(1, rows), max(1, grid.x)), room, 1)


def _in_area(lattice: Lattice, area: QRect, ratio: float) -> QRectF:
    width, height = lattice.size
    shown = QRectF(area.left(), area.top(), width / ratio, height / ratio)
    return shown.intersected(QRectF(area))
