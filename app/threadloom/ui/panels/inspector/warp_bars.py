# SPDX-License-Identifier: MIT
"""When each warp of a block ran: one bar a warp within the block's time."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.model.array import Array
from threadloom.text import _, count, duration
from threadloom.ui.theme.theme import Appearance, Role

_PITCH = 6
_GAP = 2


class WarpBars(QWidget):
    """Bars from warp 0 down; the left edge is the block's start, the right one its end."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._spans: list[tuple[float, float]] = []
        self._block_s = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.updateGeometry)
        appearance.changed.connect(self.update)

    def show_warps(self, start_s: Array, end_s: Array) -> None:
        """Show the warps of one block; float64 of shape (warps,), seconds of the launch's clock."""
        origin = float(start_s.min())
        self._block_s = float(end_s.max()) - origin
        pairs = zip(start_s.tolist(), end_s.tolist(), strict=True)
        self._spans = [(start - origin, end - origin) for start, end in pairs]
        self.setAccessibleName(warp_words(start_s, end_s))
        self.setToolTip("\n".join(_line(warp, *span) for warp, span in enumerate(self._spans)))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """A bar for each warp and a line of text."""
        text = QFontMetricsF(self._appearance.font(Role.CAPTION)).height()
        return QSize(232, round(len(self._spans) * _PITCH + 4 + text))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the bars and the two ends of the time."""
        painter, color = QPainter(self), self._appearance.color
        scale = self.width() / self._block_s if self._block_s else 0.0
        for warp, (start, end) in enumerate(self._spans):
            top = warp * _PITCH
            painter.fillRect(QRectF(0, top, self.width(), _PITCH - _GAP), color("cell-idle"))
            bar = QRectF(start * scale, top, max(1.0, (end - start) * scale), _PITCH - _GAP)
            painter.fillRect(bar, color("s-kernel"))
        font = self._appearance.font(Role.CAPTION)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(color("text-3"))
        baseline = len(self._spans) * _PITCH + 4 + metrics.ascent()
        painter.drawText(QPointF(0, baseline), "0")
        last = duration(self._block_s)
        painter.drawText(QPointF(self.width() - metrics.horizontalAdvance(last), baseline), last)


def warp_words(start_s: Array, end_s: Array) -> str:
    """How long the shortest and the longest warp took, as a sentence."""
    taken = end_s - start_s
    return _("{warps} warps: {least} to {most}.").format(
        warps=count(len(taken)),
        least=duration(float(taken.min())),
        most=duration(float(taken.max())),
    )


def _line(warp: int, start: float, end: float) -> str:
    return _("warp {n}: {start} to {end}").format(n=warp, start=duration(start), end=duration(end))
