# SPDX-License-Identifier: MIT
"""Shows the access of one warp; a click on a lane follows its thread."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.figures.memory import MemoryFigure
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter
from threadloom.ui.theme.theme import Appearance


class WarpView(QWidget):
    """A `MemoryFigure`, or why there is none."""

    lane_picked = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.figure: MemoryFigure | None = None
        self._empty = ""
        self._opacity = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_figure(
        self, figure: MemoryFigure | None, empty: str = "", *, faded: bool = False
    ) -> None:
        """Show an access; without one, say why."""
        self.figure, self._empty = figure, empty
        self._opacity = 0.38 if faded else 1.0
        if figure is not None:
            told = [f"{one.title}: {one.value} {one.beside}" for one in figure.key_figures()]
            self.setAccessibleName(figure.heading)
            self.setAccessibleDescription("; ".join(told))
        else:
            self.setAccessibleName(empty)
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for the smallest window."""
        return QSize(300, 120)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure at the text size in force."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-canvas"))
        scale = self._appearance.text_scale
        painter.scale(scale, scale)
        painter.setOpacity(self._opacity)
        box = self._box()
        if self.figure is not None:
            self.figure.paint(painter, box, self._appearance.theme)
        else:
            themed = ThemedPainter(painter, self._appearance.theme)
            themed.text(box.center().x(), box.center().y(), self._empty, side=Side.CENTER)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Follow the lane under the pointer."""
        if self.figure is None:
            return
        at = event.position() / self._appearance.text_scale
        for lane, rect in enumerate(self.figure.lane_rects(self._box())):
            if rect.contains(at):
                self.lane_picked.emit(lane)

    def _box(self) -> QRectF:
        scale = self._appearance.text_scale
        return QRectF(16, 8, self.width() / scale - 32, self.height() / scale - 14)
