# SPDX-License-Identifier: MIT
"""A panel that scrolls up and down when it is too short for what it holds."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QVBoxLayout, QWidget

_BAR = 9
"""Narrower than the padding of panels, so that the bar covers nothing."""


class ScrollPanel(QScrollArea):
    """A scrolling column of sections on the panel's ground.

    Its bar lies over the padding: what the panel holds keeps its width, whether it scrolls or not.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setProperty("look", "panel")
        inner = QWidget()
        inner.setProperty("look", "panel")
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.setWidget(inner)
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        self.bar.hide()
        hidden = self.verticalScrollBar()
        hidden.rangeChanged.connect(self._on_range_changed)
        hidden.valueChanged.connect(self.bar.setValue)
        self.bar.valueChanged.connect(hidden.setValue)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the bar at the right edge."""
        super().resizeEvent(event)
        self.bar.setGeometry(self.width() - _BAR, 0, _BAR, self.height())

    def _on_range_changed(self, low: int, high: int) -> None:
        self.bar.setRange(low, high)
        self.bar.setPageStep(self.verticalScrollBar().pageStep())
        self.bar.setSingleStep(self.verticalScrollBar().singleStep())
        self.bar.setVisible(high > low)
        self.bar.raise_()
