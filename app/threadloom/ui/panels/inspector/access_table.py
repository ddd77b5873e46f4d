# SPDX-License-Identifier: MIT
"""Rows of a thread's accesses: verb and element, address, value."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.presentation.access.thread_accesses import FIRST, Accesses, AccessRow
from threadloom.text import _, count
from threadloom.ui.theme.theme import Appearance, Role

ROW = 27
HEAD = 24
PADDING = 16
VALUE_WIDTH = 66
ADDRESS_WIDTH = 62


class AccessTable(QWidget):
    """Paints accesses from edge to edge of the panel."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._accesses = Accesses((), 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.updateGeometry)
        appearance.changed.connect(self.update)

    @property
    def accesses(self) -> Accesses:
        """What is shown."""
        return self._accesses

    def show_accesses(self, accesses: Accesses) -> None:
        """Show these."""
        self._accesses = accesses
        self.setAccessibleName(
            "; ".join(f"{row.verb} {row.element} {row.value}" for row in accesses.rows)
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One row each, and one for what is left out."""
        more = 1 if self._accesses.left_out else 0
        scale = self._appearance.text_scale
        return QSize(200, round((HEAD + ROW * (len(self._accesses.rows) + more)) * scale))

    def minimumSizeHint(self) -> QSize:
        """All rows; the panel scrolls."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw head, rows and lines."""
        painter = QPainter(self)
        scale = self._appearance.text_scale
        head, row_height = HEAD * scale, ROW * scale
        names = (_("Access"), _("Address"), _("Value"))
        self._paint_row(painter, head / 2 - 2, names, ("text-3", "text-3", "text-3"), head=True)
        y = head
        for number, row in enumerate(self._accesses.rows):
            if self._accesses.left_out and number == FIRST:
                self._paint_more(painter, y, row_height)
                y += row_height
            painter.fillRect(0, round(y), self.width(), 1, self._appearance.color("border-subtle"))
            self._paint_access(painter, y + row_height / 2, row)
            y += row_height

    def _paint_access(self, painter: QPainter, y: float, row: AccessRow) -> None:
        tone = "focus" if row.writes else "text"
        self._paint_row(painter, y, (row.verb, row.address, row.value), ("text-2", "text-3", tone))
        font = self._appearance.font(Role.BODY)
        x = PADDING + QFontMetricsF(font).horizontalAdvance(row.verb + " ")
        code = self._appearance.font(Role.CODE)
        room = self._address_end() - ADDRESS_WIDTH * self._appearance.text_scale - x
        metrics = QFontMetricsF(code)
        words = metrics.elidedText(row.element, Qt.TextElideMode.ElideMiddle, max(10.0, room))
        self._write(painter, code, "text", x, y, words)

    def _paint_row(
        self,
        painter: QPainter,
        y: float,
        words: tuple[str, str, str],
        tones: tuple[str, str, str],
        *,
        head: bool = False,
    ) -> None:
        body = self._appearance.font(Role.CAPTION if head else Role.BODY)
        code = body if head else self._appearance.font(Role.CODE)
        self._write(painter, body, tones[0], PADDING, y, words[0])
        for text, tone, end in (
            (words[1], tones[1], self._address_end()),
            (words[2], tones[2], float(self.width() - PADDING)),
        ):
            width = QFontMetricsF(code).horizontalAdvance(text)
            self._write(painter, code, tone, end - width, y, text)

    def _paint_more(self, painter: QPainter, y: float, height: float) -> None:
        painter.fillRect(0, round(y), self.width(), 1, self._appearance.color("border-subtle"))
        words = _("… {n} more …").format(n=count(self._accesses.left_out))
        font = self._appearance.font(Role.CAPTION)
        self._write(painter, font, "text-3", PADDING, y + height / 2, words)

    def _address_end(self) -> float:
        return self.width() - PADDING - VALUE_WIDTH * self._appearance.text_scale

    def _write(
        self, painter: QPainter, font: object, tone: str, x: float, y: float, words: str
    ) -> None:
        painter.setFont(font)  # type: ignore[arg-type]
        metrics = painter.fontMetrics()
        painter.setPen(self._appearance.color(tone))
        baseline = round(y + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), words)
