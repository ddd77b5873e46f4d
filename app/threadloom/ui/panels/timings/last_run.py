# SPDX-License-Identifier: MIT
"""The bars of the last run."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from threadloom.presentation.bench.time_text import time_words
from threadloom.text import _
from threadloom.ui.figures.bars import BarsFigure, bars, conclusions, noise_words
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter
from threadloom.ui.theme.theme import Appearance


class LastRun(QWidget):
    """Shows a `BarsFigure`, or what to do while there is none."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.figure: BarsFigure | None = None
        self._empty = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Timings of the last run"))
        appearance.changed.connect(self.updateGeometry)
        appearance.changed.connect(self.update)

    def show_figure(self, figure: BarsFigure | None, empty: str = "") -> None:
        """Show these bars; without any, say why there are none."""
        self.figure, self._empty = figure, empty
        self.setAccessibleDescription(_spoken(figure) if figure else empty)
        self.update()

    def sizeHint(self) -> QSize:
        """As in the pictures."""
        return QSize(round(298 * self._appearance.text_scale), 200)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for the smallest window."""
        return QSize(round(250 * self._appearance.text_scale), 120)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure at the text size in force."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-panel"))
        scale = self._appearance.text_scale
        painter.scale(scale, scale)
        box = QRectF(0, 0, self.width() / scale, self.height() / scale)
        box.adjust(16, 0, -16, -8 if box.height() > 200 else -4)
        if self.figure is not None:
            self.figure.paint(painter, box, self._appearance.theme)
        else:
            themed = ThemedPainter(painter, self._appearance.theme)
            themed.text(box.center().x(), box.center().y(), self._empty, side=Side.CENTER)

    def event(self, event: QEvent) -> bool:
        """Tell in a tip which values are noisy."""
        if isinstance(event, QHelpEvent) and self.figure is not None:
            noisy = [(bar.title, noise_words(bar.samples)) for bar in bars(self.figure.timings)]
            lines = [f"{title}: {words}" for title, words in noisy if words]
            QToolTip.showText(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)


def _spoken(figure: BarsFigure) -> str:
    """The figure in words, for screen readers."""
    shown = [f"{bar.title}: {time_words(bar.samples)}" for bar in bars(figure.timings)]
    told = [f"{said.subject}: {said.text()}" for said in conclusions(figure.timings)]
    return "; ".join([figure.heading, *shown, *told])
