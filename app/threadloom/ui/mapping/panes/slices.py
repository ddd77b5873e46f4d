# SPDX-License-Identifier: MIT
"""Small slices of a solid beside the one that is shown."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from threadloom.presentation.mapping.fitting import Room, Viewport, sheet
from threadloom.presentation.mapping.shading import shade_elements
from threadloom.text import _
from threadloom.ui.mapping.painting.annotations import text, text_width
from threadloom.ui.mapping.painting.cell_image import CellPicture
from threadloom.ui.mapping.panes.drawing import Drawing

WIDTH = 40
SPACE = 4
MOST = 32
TRACK_ROOM = 18
"""For the slider between the slice and the thumbnails."""
KNOB = 5.0


class SliceStrip:
    """A column of thumbnails, one a slice, or evenly chosen ones where there are many."""

    def __init__(self, drawing: Drawing, area: QRect) -> None:
        depth, rows, columns = drawing.model.shape
        self._depth = depth
        side = max(8, min(WIDTH, round(WIDTH * rows / max(1, columns))))
        fitting = max(1, min(MOST, (area.height() + SPACE) // (side + SPACE), depth))
        self.shown = [number * depth // fitting for number in range(fitting)]
        if drawing.slice not in self.shown:
            nearest = min(range(fitting), key=lambda i: abs(self.shown[i] - drawing.slice))
            self.shown[nearest] = drawing.slice
        left = area.right() - WIDTH + 1
        self.rects = [
            QRect(left, area.top() + number * (side + SPACE), WIDTH, side)
            for number in range(fitting)
        ]
        self.remaining = QRect(area.topLeft(), area.size())
        self.remaining.setRight(left - TRACK_ROOM - 8)
        end = self.rects[-1].bottom() + 1
        self._track = QRectF(left - TRACK_ROOM + 4, area.top(), 4, max(1, end - area.top()))
        self._pictures = [self._picture(drawing, z, rect) for z, rect in self._pairs()]

    def slice_at(self, point: QPointF) -> int | None:
        """Number of the slice under a point."""
        for z, rect in self._pairs():
            if QRectF(rect).contains(point):
                return z
        if self._track.adjusted(-7, -7, 7, 7).contains(point):
            return self.along(point.y())
        return None

    def along(self, y: float) -> int:
        """Slice at a height of the slider."""
        share = (y - self._track.top()) / self._track.height()
        return min(self._depth - 1, max(0, int(share * self._depth)))

    def _paint_slider(self, painter: QPainter, drawing: Drawing) -> None:
        color = drawing.appearance.color
        middle = (drawing.slice + 0.5) / self._depth
        knob = QPointF(self._track.center().x(), self._track.top() + middle * self._track.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("cell-wait"))
        painter.drawRoundedRect(self._track, 2, 2)
        painter.setBrush(color("bg-panel"))
        painter.setPen(QPen(color("accent"), 2.5))
        painter.drawEllipse(knob, KNOB, KNOB)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def paint(self, painter: QPainter, drawing: Drawing) -> None:
        """Draw the thumbnails and mark the slice that is shown."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for (z, rect), picture in zip(self._pairs(), self._pictures, strict=True):
            image = picture.image(drawing.time_s, faults=drawing.faults)
            painter.drawImage(rect.topLeft(), image)
            token = "accent-text" if z == drawing.slice else "border-strong"
            painter.setPen(QPen(drawing.appearance.color(token), 1))
            painter.drawRect(QRectF(rect).adjusted(-0.5, -0.5, 0.5, 0.5))
        if self._depth > 1:
            self._paint_slider(painter, drawing)
        words = _("z {z} of {depth}").format(z=drawing.slice, depth=self._depth)
        x = self.rects[0].right() - text_width(drawing.appearance, words)
        text(painter, drawing.appearance, QPointF(x, self.rects[0].top() - 9), words)

    def _pairs(self) -> list[tuple[int, QRect]]:
        return list(zip(self.shown, self.rects, strict=True))

    def _picture(self, drawing: Drawing, z: int, rect: QRect) -> CellPicture:
        _depth, rows, columns = drawing.model.shape
        ratio = drawing.ratio
        room = Room(
            int(rect.width() * ratio), int(rect.height() * ratio), int(rect.width() * ratio)
        )
        lattice = sheet(rows, columns, room, Viewport(), z * rows * columns)
        modes = (drawing.blocks_by, drawing.data_by)
        shading = shade_elements(drawing.model, drawing.palette, modes, lattice)
        return CellPicture(rect.topLeft(), ratio, lattice, shading, drawing.palette, 0)
