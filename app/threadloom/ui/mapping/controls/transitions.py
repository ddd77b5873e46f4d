# SPDX-License-Identifier: MIT
"""Changes of the picture that take a moment: connectors that slide, panes that zoom."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QObject,
    QPointF,
    QRectF,
    QVariantAnimation,
)
from PySide6.QtGui import QPainter, QPixmap

from threadloom.ui.mapping.layout.connectors import Connector

SLIDE_MS = 140
ZOOM_MS = 180


class Progress(QObject):
    """Goes from 0 to 1 along OutCubic and asks for a new picture at each step."""

    def __init__(self, duration_ms: int, redraw: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(duration_ms)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(lambda _value: redraw())
        self._animation.finished.connect(redraw)

    @property
    def running(self) -> bool:
        """Whether it is on its way."""
        return self._animation.state() is QAbstractAnimation.State.Running

    @property
    def share(self) -> float:
        """How far it is; 1 at rest."""
        return float(self._animation.currentValue()) if self.running else 1.0

    def start(self) -> None:
        """Begin at 0."""
        self._animation.stop()
        self._animation.start()

    def stop(self) -> None:
        """Be at 1."""
        self._animation.stop()


class ConnectorTransition:
    """Moves connectors from where they were to where they belong."""

    def __init__(self, redraw: Callable[[], None], parent: QObject) -> None:
        self.progress = Progress(SLIDE_MS, redraw, parent)
        self._before: tuple[Connector, ...] = ()

    def start(self, before: tuple[Connector, ...]) -> None:
        """Leave these behind."""
        if before:
            self._before = before
            self.progress.start()

    def now(self, target: tuple[Connector, ...]) -> tuple[Connector, ...]:
        """Where they are on their way to a target."""
        if not self.progress.running or len(self._before) != len(target):
            return target
        share = self.progress.share
        return tuple(a.towards(b, share) for a, b in zip(self._before, target, strict=True))


class ZoomFade:
    """The pane as it was, growing or shrinking away over the pane as it is."""

    def __init__(self, redraw: Callable[[], None], parent: QObject) -> None:
        self.progress = Progress(ZOOM_MS, redraw, parent)
        self._picture, self._pane = QPixmap(), QRectF()
        self._about, self._factor = QPointF(), 1.0

    def start(self, picture: QPixmap, pane: QRectF, about: QPointF, factor: float) -> None:
        """Begin with a picture of the pane; it grows by a factor about a point."""
        self._picture, self._pane = picture, pane
        self._about, self._factor = about, factor
        self.progress.start()

    def paint(self, painter: QPainter) -> None:
        """Draw what is left of the old picture."""
        if not self.progress.running:
            return
        share = self.progress.share
        painter.save()
        painter.setClipRect(self._pane)
        painter.setOpacity(1.0 - share)
        painter.translate(self._about)
        scale = self._factor**share
        painter.scale(scale, scale)
        painter.translate(-self._about)
        painter.drawPixmap(self._pane.topLeft(), self._picture)
        painter.restore()
