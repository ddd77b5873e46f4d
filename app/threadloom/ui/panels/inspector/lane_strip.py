# SPDX-License-Identifier: MIT
"""The 32 lanes of a warp: which of them moved together."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.model.launch import WARP_SIZE
from threadloom.presentation.access.thread_accesses import Lockstep
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role

CELLS = 15


class LaneStrip(QWidget):
    """One cell a lane; the selected one is marked and named."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._lockstep: Lockstep | None = None
        self._lane = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def show_lanes(self, lockstep: Lockstep, lane: int) -> None:
        """Show a warp and mark one of its lanes."""
        self._lockstep, self._lane = lockstep, lane
        self.setAccessibleName(lockstep.words)
        self.update()

    def sizeHint(self) -> QSize:
        """Cells and a line of text."""
        return QSize(232, round(CELLS + 16 * self._appearance.text_scale))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw cells, ends and the selected lane's number."""
        if self._lockstep is None:
            return
        painter = QPainter(self)
        pitch = self.width() / WARP_SIZE
        for lane in range(WARP_SIZE):
            left, right = round(lane * pitch), round((lane + 1) * pitch)
            self._paint_lane(painter, lane, QRectF(left, 0, right - left - 1, CELLS))
        self._paint_names(painter, pitch)

    def _paint_lane(self, painter: QPainter, lane: int, cell: QRectF) -> None:
        lockstep, color = self._lockstep, self._appearance.color
        if lockstep is None:
            return
        if lane >= lockstep.lanes:
            painter.setPen(QPen(color("border-control"), 0))
            painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5))
        elif lane == self._lane:
            painter.fillRect(cell, color("focus"))
        else:
            painter.fillRect(cell, color("s-kernel", 1.0 if lockstep.active[lane] else 0.25))

    def _paint_names(self, painter: QPainter, pitch: float) -> None:
        font = self._appearance.font(Role.CAPTION)
        bold = self._appearance.font(Role.CAPTION, bold=True)
        metrics, wide = QFontMetricsF(font), QFontMetricsF(bold)
        baseline = CELLS + 3 + metrics.ascent()
        words = _("lane {n}").format(n=self._lane)
        middle = (self._lane + 0.5) * pitch
        width = wide.horizontalAdvance(words)
        left = min(max(0.0, middle - width / 2), self.width() - width)
        painter.setFont(bold)
        painter.setPen(self._appearance.color("focus"))
        painter.drawText(QPointF(left, baseline), words)
        painter.setFont(font)
        painter.setPen(self._appearance.color("text-3"))
        if left > metrics.horizontalAdvance("0") + 4:
            painter.drawText(QPointF(0, baseline), "0")
        last = str(WARP_SIZE - 1)
        end = self.width() - metrics.horizontalAdvance(last)
        if left + width < end - 4:
            painter.drawText(QPointF(end, baseline), last)
