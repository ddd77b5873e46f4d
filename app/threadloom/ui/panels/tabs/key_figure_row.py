# SPDX-License-Identifier: MIT
"""A row of key figures with lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.presentation.figures.key_figure import KeyFigure
from threadloom.ui.figures.key_figure import draw_key_figure, figure_width
from threadloom.ui.figures.pages.themed_painter import ThemedPainter
from threadloom.ui.theme.theme import Appearance

_HEIGHT = 56


class KeyFigureRow(QWidget):
    """Shows as many key figures as there is room for, the last one perhaps without its addition."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._figures: list[KeyFigure] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.updateGeometry)
        appearance.changed.connect(self.update)

    def show_figures(self, figures: Sequence[KeyFigure]) -> None:
        """Show these."""
        self._figures = list(figures)
        words = [f"{one.title}: {one.value} {one.beside}. {one.note}" for one in self._figures]
        self.setAccessibleName(" ".join(words))
        self.setToolTip("\n".join(one.note for one in self._figures if one.note))
        self.update()

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(480, round(_HEIGHT * self._appearance.text_scale))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw title, value and what stands beside it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-canvas"))
        scale = self._appearance.text_scale
        painter.scale(scale, scale)
        themed = ThemedPainter(painter, self._appearance.theme)
        x, right = 16.0, self.width() / scale
        for number, whole in enumerate(self._figures):
            figure = whole if x + figure_width(whole) <= right else replace(whole, beside="")
            width = figure_width(figure)
            if x + width > right:
                return
            if number:
                themed.upright(x - 18, 10, _HEIGHT - 8, "border-strong")
            draw_key_figure(themed, x, 10, figure)
            x += width + 36
