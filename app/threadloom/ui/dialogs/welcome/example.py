# SPDX-License-Identifier: MIT
"""Launches to begin with, and the picture beside the first one."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.model.dim3 import Dim3
from threadloom.services.storage.workspace import Workspace
from threadloom.text import N_, _
from threadloom.ui.theme.theme import Appearance, Role


@dataclass(frozen=True, slots=True)
class Example:
    """A launch with what it shows."""

    title: str
    text: str
    workspace: Workspace


EXAMPLES = (
    Example(
        N_("One thread per element"),
        N_(
            "Add two vectors of 64 elements with 64 threads. See which thread writes which element."
        ),
        Workspace(
            operation="vector_add",
            variant="grid",
            sizes={"n": 64},
            block=Dim3(16),
            grid=Dim3(4),
        ),
    ),
    Example(
        N_("Blocks and the 1,024 limit"),
        N_("Launch 500,000 threads in one block, and see which limit CUDA reports."),
        Workspace(
            operation="vector_add",
            variant="one_block",
            sizes={"n": 500_000},
            block=Dim3(500_000),
            grid=Dim3(1),
            grid_follows_size=False,
        ),
    ),
    Example(
        N_("A million elements"),
        N_("Watch 3,907 blocks of 256 threads run in waves."),
        Workspace(),
    ),
    Example(
        N_("Tiles in shared memory"),
        N_("Multiply two matrices with blocks of 16 × 16 threads."),
        Workspace(
            operation="matmul",
            variant="shared_tile",
            sizes={"m": 512, "n": 512, "k": 512},
            block=Dim3(16, 16),
            grid=Dim3(32, 32),
        ),
    ),
)

_COLORS = ("#E69F00", "#56B4E9", "#009E73", "#CC79A7")
"""Okabe and Ito's palette: the color of each block."""


class ExamplePicture(QWidget):
    """Four blocks of 16 threads, the threads of one of them, and 64 elements."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Four blocks of 16 threads write 64 elements"))
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Fixed."""
        return QSize(214, 150)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the three rows, and the one thread that is selected through them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._appearance.color
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("bg-canvas"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setPen(color("text-3"))
        painter.setFont(self._appearance.font(Role.CAPTION))
        painter.drawText(QPointF(12, 20), _("4 blocks of 16 threads"))
        words = QRectF(0, 130, 202, 16)
        painter.drawText(words, Qt.AlignmentFlag.AlignRight, _("64 elements"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._draw_links(painter)
        self._draw_rows(painter)
        self._draw_selected(painter)

    def _draw_rows(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for block in range(4):
            painter.setBrush(_brush(block))
            painter.drawRect(QRectF(12 + 48 * block, 28, 45, 12))
        painter.setBrush(_brush(1))
        for thread in range(16):
            painter.drawRect(QRectF(12 + 12 * thread, 70, 10, 10))
        for element in range(64):
            painter.setBrush(_brush(element // 16))
            row, column = divmod(element, 32)
            painter.drawRect(QRectF(12 + 6 * column, 102 + 14 * row, 5, 12))

    def _draw_links(self, painter: QPainter) -> None:
        focus = self._appearance.color
        painter.setPen(QPen(focus("focus", 0.55), 1))
        painter.setBrush(focus("focus", 0.1))
        corners = [QPointF(60, 41), QPointF(105, 41), QPointF(202, 69), QPointF(12, 69)]
        painter.drawPolygon(QPolygonF(corners))
        painter.setPen(QPen(focus("focus"), 1))
        painter.drawLine(QPointF(77, 81), QPointF(12 + 6 * 21 + 2, 101))

    def _draw_selected(self, painter: QPainter) -> None:
        painter.setPen(QPen(self._appearance.color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(11 + 12 * 5, 69, 12, 12))
        painter.drawRect(QRectF(11 + 6 * 21, 101, 7, 14))


def _brush(block: int) -> QColor:
    return QColor(_COLORS[block % len(_COLORS)])
