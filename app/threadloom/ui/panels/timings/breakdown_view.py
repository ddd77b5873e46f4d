# SPDX-License-Identifier: MIT
"""The whole way of the shown run, in place of its bars."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from threadloom.text import _, duration
from threadloom.ui.figures.breakdown import BreakdownFigure
from threadloom.ui.theme.theme import Appearance

_SIDE = 16


class BreakdownView(QScrollArea):
    """Scrolls over a `BreakdownFigure`."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("End-to-end GPU time, step by step"))
        self.page = _Page(appearance)
        self.setWidget(self.page)
        appearance.changed.connect(self._fit)

    @property
    def figure(self) -> BreakdownFigure | None:
        """What is shown."""
        return self.page.figure

    def show_figure(self, figure: BreakdownFigure | None) -> None:
        """Show these steps."""
        self.page.figure = figure
        self.setAccessibleDescription(_spoken(figure) if figure is not None else "")
        self._fit()
        self.page.update()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the bars."""
        return QSize(self._appearance.scaled(250), self._appearance.scaled(90))

    def sizeHint(self) -> QSize:
        """As wide as the bars."""
        return QSize(self._appearance.scaled(298), self._appearance.scaled(200))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the page the width that there is."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        scale, width = self._appearance.text_scale, self.viewport().width()
        figure = self.page.figure
        needed = figure.height(width / scale - 2 * _SIDE) + 16 if figure is not None else 0
        self.page.resize(width, max(round(needed * scale), self.viewport().height()))


class _Page(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.figure: BreakdownFigure | None = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure at the text size in force."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-panel"))
        if self.figure is None:
            return
        scale = self._appearance.text_scale
        painter.scale(scale, scale)
        box = QRectF(_SIDE, 4, self.width() / scale - 2 * _SIDE, self.height() / scale - 8)
        self.figure.paint(painter, box, self._appearance.theme)


def _spoken(figure: BreakdownFigure) -> str:
    """The figure in words, for screen readers."""
    rows = [
        f"{step.title}: {duration(step.samples.median_s) if step.samples else step.note}"
        for step in figure.steps
    ]
    return "; ".join([*rows, figure.sentence])
