# SPDX-License-Identifier: MIT
"""Shows a timeline: the wheel moves through the SMs, a click follows a block or sets the time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter
from threadloom.ui.figures.timeline import TimelineFigure
from threadloom.ui.theme.theme import Appearance


class TimelineView(QWidget):
    """A `TimelineFigure`, or why there is none."""

    block_picked = Signal(object)
    """int: place of a block in the timeline's arrays."""
    time_picked = Signal(float)
    """Seconds from the launch's start."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.figure: TimelineFigure | None = None
        self._empty = ""
        self._opacity = 1.0
        self._dragged = ""
        self._ground_key: tuple[object, ...] = ()
        self._ground_made = QPixmap()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_figure(
        self, figure: TimelineFigure | None, empty: str = "", *, faded: bool = False
    ) -> None:
        """Show a timeline, the same SMs as before; without one, say why."""
        if figure is not None and self.figure is not None:
            figure = replace(figure, first_sm=self.figure.first_sm)
        self.figure, self._empty = figure, empty
        self._opacity = 0.38 if faded else 1.0
        self.update()

    def reveal(self, sm: int) -> None:
        """Bring an SM into view."""
        if self.figure is None:
            return
        at = self.figure.layout(self._box())
        if not at.first <= sm < at.last:
            self._scroll_to(sm - (at.last - at.first) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the selected block in view."""
        super().resizeEvent(event)
        if self.figure is not None and self.figure.selected_sm is not None:
            self.reveal(self.figure.selected_sm)

    def minimumSizeHint(self) -> QSize:
        """Small enough for the smallest window."""
        return QSize(300, 120)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure at the text size in force."""
        painter = QPainter(self)
        if self.figure is not None:
            painter.drawPixmap(0, 0, self._ground(self.figure))
        else:
            painter.fillRect(self.rect(), self._appearance.color("bg-canvas"))
        self._prepare(painter)
        box = self._box()
        if self.figure is not None:
            self.figure.paint_marks(painter, box, self._appearance.theme)
        else:
            themed = ThemedPainter(painter, self._appearance.theme)
            themed.text(box.center().x(), box.center().y(), self._empty, side=Side.CENTER)

    def _prepare(self, painter: QPainter) -> None:
        scale = self._appearance.text_scale
        painter.scale(scale, scale)
        painter.setOpacity(self._opacity)

    def _ground(self, figure: TimelineFigure) -> QPixmap:
        """What stays while the animation plays; drawn again only when it changes."""
        ratio, appearance = self.devicePixelRatioF(), self._appearance
        key = (
            id(figure.rows),
            figure.first_sm,
            figure.selected_sm,
            self.size(),
            ratio,
            appearance.theme.name,
            appearance.text_scale,
            self._opacity,
        )
        if key != self._ground_key:
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(appearance.color("bg-canvas"))
            painter = QPainter(made)
            self._prepare(painter)
            figure.paint_ground(painter, self._box(), appearance.theme)
            painter.end()
            self._ground_key, self._ground_made = key, made
        return self._ground_made

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move through the SMs."""
        if self.figure is not None:
            steps = -event.angleDelta().y() / 40
            self._scroll_to(self.figure.layout(self._box()).first + round(steps))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move through the SMs with the keys."""
        if self.figure is None:
            return
        at = self.figure.layout(self._box())
        page = max(1, at.last - at.first - 1)
        moves = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
        }
        if event.key() in moves:
            self._scroll_to(at.first + moves[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the overview or of the time, or follow the block under the pointer."""
        if self.figure is None or event.button() != Qt.MouseButton.LeftButton:
            return
        place = event.position() / self._appearance.text_scale
        at = self.figure.layout(self._box())
        if at.overview is not None and at.overview.adjusted(-4, -8, 4, 8).contains(place):
            self._dragged = "overview"
        elif at.curve.adjusted(-2, -20, 2, 20).contains(place) or place.y() > at.body.bottom():
            self._dragged = "time"
        else:
            block = self._block_at(place)
            if block is not None:
                self.block_picked.emit(block)
            return
        self._drag(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on dragging."""
        if self._dragged:
            self._drag(event.position() / self._appearance.text_scale)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Let go."""
        self._dragged = ""

    def _drag(self, place: QPointF) -> None:
        if self.figure is None:
            return
        at = self.figure.layout(self._box())
        if self._dragged == "time":
            self.time_picked.emit(at.seconds(place.x()))
        elif at.overview is not None:
            share = (place.y() - at.overview.top()) / max(at.overview.height(), 1)
            middle = share * self.figure.rows.sms
            self._scroll_to(round(middle - (at.last - at.first) / 2))

    def _block_at(self, place: QPointF) -> int | None:
        if self.figure is None:
            return None
        at, line = self.figure.layout(self._box()), self.figure.rows.timeline
        sm = at.first + int((place.y() - at.body.top()) // at.sm_height)
        if not at.body.contains(place) or not at.first <= sm < at.last:
            return None
        seconds = at.seconds(place.x())
        running = (line.sm == sm) & (line.start_s <= seconds) & (line.end_s > seconds)
        if self.figure.rows.bars:
            inside = place.y() - at.row(sm).top()
            running &= self.figure.rows.slot == int(inside // at.bar)
        found = np.flatnonzero(running)
        return int(found[0]) if found.size else None

    def _scroll_to(self, first: int) -> None:
        if self.figure is None:
            return
        at = self.figure.layout(self._box())
        last = self.figure.rows.sms - (at.last - at.first)
        self.figure = replace(self.figure, first_sm=max(0, min(first, last)))
        self.update()

    def _box(self) -> QRectF:
        scale = self._appearance.text_scale
        return QRectF(12, 8, self.width() / scale - 28, self.height() / scale - 14)
