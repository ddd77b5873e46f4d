# SPDX-License-Identifier: MIT
"""The three panes of one canvas size, with what joins them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.presentation.mapping.coordinates import coordinates
from threadloom.presentation.mapping.elements import element_name
from threadloom.presentation.mapping.fitting import Viewport, zoomed_at
from threadloom.presentation.mapping.hit_test import Target, TargetKind
from threadloom.presentation.mapping.mapping_model import Phase
from threadloom.presentation.mapping.modes import Rank
from threadloom.presentation.mapping.region import Kind, Rectangle, Selection, cells_between
from threadloom.text import _
from threadloom.ui.mapping.layout.arrangement import LABELS, arrange
from threadloom.ui.mapping.layout.connectors import (
    Connector,
    paint_connector,
    paint_rail,
    rail_height,
)
from threadloom.ui.mapping.painting.annotations import ring, tag, text
from threadloom.ui.mapping.painting.legends import (
    paint_block_legend,
    paint_data_caption,
    paint_data_legend,
    paint_legend_column,
)
from threadloom.ui.mapping.panes.block_pane import BlockPane
from threadloom.ui.mapping.panes.data_pane import DataPane
from threadloom.ui.mapping.panes.drawing import Drawing
from threadloom.ui.mapping.panes.grid_pane import GridPane
from threadloom.ui.mapping.panes.refused_launch import paint_refused
from threadloom.ui.theme.theme import Role

OPERANDS_BELOW_TITLE = 12
OPERANDS_ABOVE_END = 30
Viewports = tuple[Viewport, Viewport]
"""Of the grid and of the data."""


class Scene:
    """Lays the panes out once; painting them at another time is cheap."""

    def __init__(
        self, drawing: Drawing, size: tuple[int, int], grid_look: Viewport, data_look: Viewport
    ) -> None:
        self._size = size
        operands = drawing.model.product is not None and drawing.rank is Rank.TWO
        scale = drawing.appearance.text_scale
        self.arrangement = arrange(*size, scale, operands=operands)
        self._refused = drawing.model.phase is Phase.REFUSED
        self._shown: Dim3 | None = None
        if self._refused:
            return
        self.grid = GridPane(drawing, self.arrangement.grid, grid_look)
        self.data = DataPane(drawing, self._data_area(operands=operands), data_look)
        self._element: int | None = None
        self.block: BlockPane
        self._thread: ThreadId | None = None
        self._make_block(drawing)
        self.select_thread(drawing, _element_of(drawing))

    def _data_area(self, *, operands: bool) -> QRect:
        """Operands leave a corner free for title and legend, so that they may be higher."""
        area = QRect(self.arrangement.data)
        if operands and not self.arrangement.short:
            area.setTop(self.arrangement.title_y + OPERANDS_BELOW_TITLE)
            area.setBottom(self._size[1] - OPERANDS_ABOVE_END)
        return area

    def select_thread(self, drawing: Drawing, element: int | None) -> None:
        """Show another thread's block and the surroundings of its element."""
        if self._refused:
            return
        if drawing.thread != self._thread:
            self._make_block(drawing)
        self._element = element
        self.data.select_thread(drawing, element)

    def at(self, point: QPointF) -> Target | None:
        """What lies at a point, nearest pane first."""
        drawing = self._drawing
        if (block := self.grid.block_at(point)) is not None:
            return self._pointed_block(drawing, block)
        if (thread := self.block.thread_at(point)) is not None:
            number = drawing.model.launch.block.linear(thread)
            return Target(TargetKind.THREAD, number, ThreadId(drawing.block, thread))
        if self.data.strip is not None and (z := self.data.strip.slice_at(point)) is not None:
            return Target(TargetKind.SLICE, z, None)
        if (element := self.data.element_at(point)) is not None:
            owner = drawing.model.thread_of_element(element)
            return Target(TargetKind.ELEMENT, element, owner)
        if (stray := self.data.stray_at(point)) is not None:
            return Target(TargetKind.OUT_OF_BOUNDS, stray.index, stray.thread)
        return None

    def rings(self, drawing: Drawing) -> list[QRectF]:
        """Cells of the selected block, thread and element."""
        if drawing.thread is None or self._refused:
            return []
        found = [self.grid.rect_of(drawing.thread.block), self.block.rect_of(drawing.thread.thread)]
        rects = [rect for rect in found if rect is not None]
        return rects + (self.data.rects_of(self._element) if self._element is not None else [])

    def data_middle(self) -> QPointF:
        """Middle of the data pane, where the buttons zoom."""
        return QRectF(self.arrangement.data).center()

    def area_at(self, point: QPointF) -> QRectF:
        """Area of the pane that zooms at a point; or empty."""
        if not self._refused:
            for area in (QRectF(self.grid.area), QRectF(self.data.place)):
                if area.contains(point):
                    return area
        return QRectF()

    def turned(self, point: QPointF) -> int | None:
        """Slice of a solid at the height of a point."""
        if self._refused or self.data.strip is None:
            return None
        return self.data.strip.along(point.y())

    def pane_at(self, point: QPointF) -> QRectF:
        """Cells of the grid or the data at a point, where a rectangle can be drawn; or empty."""
        if not self._refused:
            for cells in (self.grid.cells, self.data.cells):
                if cells.contains(point):
                    return cells
        return QRectF()

    def selection(self, frame: QRectF) -> Selection | None:
        """What lies in a rectangle of the grid or of the data."""
        if self._refused:
            return None
        for kind, pane in ((Kind.BLOCKS, self.grid), (Kind.ELEMENTS, self.data)):
            if pane.cells.adjusted(-1, -1, 1, 1).contains(frame):
                origin, ratio = QPointF(pane.picture.origin), self._drawing.ratio
                first = (frame.topLeft() - origin) * ratio
                last = (frame.bottomRight() - origin) * ratio
                box = Rectangle(first.x(), first.y(), last.x(), last.y())
                cells = cells_between(pane.lattice, box)
                return Selection(kind, cells) if cells.size else None
        return None

    def zoomed(self, viewports: Viewports, factor: float, point: QPointF) -> Viewports:
        """Viewports after zooming the pane at a point."""
        if self._refused:
            return viewports
        grid, data, ratio = self.grid, self.data, self._drawing.ratio
        if QRectF(grid.area).contains(point):
            at = (point - QPointF(grid.area.topLeft())) * ratio
            viewport = zoomed_at(
                grid.lattice, grid.lattice_of, viewports[0], factor, at.x(), at.y()
            )
            return replace(viewport, detail=grid.detail), viewports[1]
        if QRectF(data.place).contains(point):
            at = (point - QPointF(data.place.topLeft())) * ratio
            viewport = zoomed_at(
                data.lattice, data.lattice_of, viewports[1], factor, at.x(), at.y()
            )
            return viewports[0], replace(viewport, detail=data.detail)
        return viewports

    def panned(self, viewports: Viewports, delta: QPointF, point: QPointF) -> Viewports:
        """Viewports after dragging the pane at a point."""
        if self._refused:
            return viewports
        moved = delta * self._drawing.ratio
        if QRectF(self.grid.area).contains(point):
            return _moved(viewports[0], moved), viewports[1]
        if QRectF(self.data.area).contains(point):
            return viewports[0], _moved(viewports[1], moved)
        return viewports

    def paint(
        self, painter: QPainter, drawing: Drawing, connectors: tuple[Connector, ...] | None = None
    ) -> None:
        """Draw all panes and their marks; ``connectors`` may be on their way."""
        if self._refused:
            paint_refused(painter, drawing, *self._size)
            return
        self._drawing = drawing
        self._paint_titles(painter, drawing)
        self.grid.paint(painter, drawing)
        self.block.paint(painter, drawing)
        self.data.paint(painter, drawing)
        self._paint_legends(painter, drawing)
        if drawing.thread is not None:
            block = self.grid.rect_of(drawing.thread.block)
            if block is not None:
                paint_rail(painter, drawing.appearance, block, self.grid.cells)
            for connector in self.connectors(drawing) if connectors is None else connectors:
                paint_connector(painter, drawing.appearance, connector)
            self._paint_marks(painter, drawing, drawing.thread)

    def _make_block(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._thread = drawing.thread
        self.block = BlockPane(drawing, self.arrangement.block, short=self.arrangement.short)

    def _pointed_block(self, drawing: Drawing, block: Dim3) -> Target:
        launch = drawing.model.launch
        inside = drawing.thread.thread if drawing.thread else Dim3(0, 0, 0)
        return Target(TargetKind.BLOCK, launch.grid.linear(block), ThreadId(block, inside))

    def _paint_titles(self, painter: QPainter, drawing: Drawing) -> None:
        y = self.arrangement.title_y
        areas = (self.arrangement.grid, self.arrangement.block, self.arrangement.data)
        edges = [areas[1].left() - 58, areas[2].left() - 12, self._size[0] - 8]
        panes = (self.grid.title(), self.block.title(), self.data.title())
        for number, ((name, rest), area) in enumerate(zip(panes, areas, strict=True)):
            left = area.left() - (drawing.appearance.scaled(LABELS) if number == 1 else 0)
            at = QPointF(left, y)
            if number == 2 and self.data.operands is not None and not self.arrangement.short:
                self._paint_corner_title(painter, drawing, self.data.operands.corner, name, rest)
            else:
                self._paint_title(painter, drawing, at, name, rest, edges[number])

    def _paint_corner_title(
        self, painter: QPainter, drawing: Drawing, corner: QRect, name: str, rest: str
    ) -> None:
        """A title on several lines, as wide as A below it."""
        appearance = drawing.appearance
        at = QPointF(corner.left(), self.arrangement.title_y)
        text(painter, appearance, at, name, "text", Role.BODY, bold=True)
        painter.setFont(appearance.font(Role.CAPTION))
        painter.setPen(appearance.color("text-3"))
        top = at.y() + appearance.scaled(9)
        box = QRectF(at.x(), top, corner.width() + 4, corner.bottom() - top)
        painter.drawText(box, Qt.TextFlag.TextWordWrap, rest)

    def _paint_title(
        self, painter: QPainter, drawing: Drawing, at: QPointF, name: str, rest: str, edge: int
    ) -> None:
        appearance = drawing.appearance
        end = text(painter, appearance, at, name, "text", Role.BODY, bold=True) + 8
        metrics = QFontMetricsF(appearance.font(Role.CAPTION))
        shown = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, max(0.0, edge - end))
        text(painter, appearance, QPointF(end, at.y()), shown)

    def _paint_legends(self, painter: QPainter, drawing: Drawing) -> None:
        if self.arrangement.legend is not None:
            paint_legend_column(painter, drawing, self.arrangement.legend)
            return
        y = self._size[1] - 17.0
        grid, data = self.arrangement.grid, self.arrangement.data
        below = min(y, self.grid.cells.bottom() + 18)
        paint_block_legend(painter, drawing, QPointF(grid.left(), below), grid.width() + 36)
        if self.data.operands is not None:
            corner = self.data.operands.corner
            place = QPointF(corner.left(), corner.bottom() - drawing.appearance.scaled(30))
            if corner.height() >= drawing.appearance.scaled(100):
                paint_data_legend(painter, drawing, place, corner.width())
        else:
            paint_data_caption(painter, drawing, self.data)
            lowest = self.data.end + 34
            below = y if self.data.lens is not None else min(y, lowest)
            width = self.data.place.width()
            paint_data_legend(painter, drawing, QPointF(data.left(), below), width)

    def connectors(self, drawing: Drawing) -> tuple[Connector, ...]:
        """Shapes from the selected block to its threads, and from these to their elements."""
        if drawing.thread is None or self._refused:
            return ()
        found, cells = [], self.block.cells
        block = self.grid.rect_of(drawing.thread.block)
        if block is not None:
            y = rail_height(block, self.grid.cells)
            start = (block.top() - 1, block.bottom() + 1) if y is None else (y, y + 1)
            gap = (self.grid.cells.right() + 5.0, self.block.left_edge - 5.0)
            found.append(Connector(gap, start, (cells.top(), cells.bottom())))
        target = self._data_target()
        if target is not None and self.data.operands is None:
            gap = (cells.right() + 4.0, self.data.area.left() - 4.0)
            found.append(Connector(gap, (cells.top(), cells.bottom()), target))
        return tuple(found)

    def _data_target(self) -> tuple[float, float] | None:
        if self._element is None:
            return None
        if self.data.lens is not None:
            rect = self.data.lens.rect_of(self._element)
            kept = self.data.lens.kept
            if kept is not None and kept.any():
                rows = np.flatnonzero(kept.any(axis=1))
                first = self.data.lens.origin.y()
                size = rect.height() + 1
                return first + float(rows[0]) * size, first + float(rows[-1] + 1) * size
            return rect.top(), rect.bottom()
        rects = self.data.rects_of(self._element)
        return (rects[0].top(), rects[0].bottom()) if rects else None

    def _paint_marks(self, painter: QPainter, drawing: Drawing, thread: ThreadId) -> None:
        appearance = drawing.appearance
        launch = drawing.model.launch
        limits = QRectF(0, 0, *self._size)
        if (rect := self.grid.rect_of(thread.block)) is not None:
            words = _("block {block}").format(block=coordinates(thread.block, launch.grid))
            edge = max(self.arrangement.grid.right() + 8.0, rect.right() + 60)
            within = QRectF(0, 0, min(edge, self.arrangement.block.left() - 44), self._size[1])
            tag(painter, appearance, ring(painter, appearance, rect), words, within)
        rect = self.block.rect_of(thread.thread)
        words = _("thread {thread}").format(thread=coordinates(thread.thread, launch.block))
        within = QRectF(0, 0, self.arrangement.data.left() - 12, self._size[1])
        tag(painter, appearance, ring(painter, appearance, rect), words, within)
        if (rect := self.data.rect_out_of_bounds(thread)) is not None:
            ring(painter, appearance, rect.adjusted(1, 1, -1, -1))
        if self._element is not None:
            rects = self.data.rects_of(self._element)
            rings = [ring(painter, appearance, one) for one in rects]
            if rings:
                words = element_name(drawing.model, self._element)
                tag(painter, appearance, rings[-1], words, limits)


def _element_of(drawing: Drawing) -> int | None:
    return drawing.model.element_of_thread(drawing.thread) if drawing.thread else None


def _moved(viewport: Viewport, by: QPointF) -> Viewport:
    left, top = max(0.0, viewport.left - by.x()), max(0.0, viewport.top - by.y())
    return replace(viewport, left=left, top=top)
