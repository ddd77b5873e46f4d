# SPDX-License-Identifier: MIT
"""Rows of a kernel's arguments: name, type, and what each is filled with."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.presentation.inspector.source_details import ArgumentRow
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role

ROW = 27
HEAD = 24
PADDING = 16
_COLUMNS = (0.0, 0.24, 0.54)
"""Where the columns begin, as shares of the width between the paddings."""


class ArgumentTable(QWidget):
    """Paints arguments from edge to edge of the panel."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.rows: list[ArgumentRow] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.updateGeometry)
        appearance.changed.connect(self.update)

    def show_rows(self, rows: list[ArgumentRow]) -> None:
        """Show these."""
        self.rows = rows
        self.setAccessibleName("; ".join(f"{name}: {kind}, {by}" for name, kind, by in rows))
        self.setToolTip("\n".join(f"{name}: {by}" for name, _kind, by in rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One row each, below the head."""
        height = HEAD + ROW * len(self.rows)
        return QSize(200, self._appearance.scaled(height))

    def minimumSizeHint(self) -> QSize:
        """All rows; the panel scrolls."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw head, rows and lines."""
        painter = QPainter(self)
        scale = self._appearance.text_scale
        caption, code = self._appearance.font(Role.CAPTION), self._appearance.font(Role.CODE)
        body = self._appearance.font(Role.BODY)
        heads = (_("Name"), _("Type"), _("Value"))
        for column, words in enumerate(heads):
            self._write(painter, caption, "text-3", column, HEAD * scale / 2 - 2, words)
        for number, row in enumerate(self.rows):
            top = (HEAD + ROW * number) * scale
            painter.fillRect(
                0, round(top), self.width(), 1, self._appearance.color("border-subtle")
            )
            looks = ((code, "text"), (code, "text-2"), (body, "text"))
            for column, ((font, tone), words) in enumerate(zip(looks, row, strict=True)):
                self._write(painter, font, tone, column, top + ROW * scale / 2, words)

    def _write(
        self, painter: QPainter, font: object, tone: str, column: int, y: float, words: str
    ) -> None:
        whole = self.width() - 2 * PADDING
        left = PADDING + whole * _COLUMNS[column]
        ends = (*_COLUMNS[1:], 1.0)
        room = whole * (ends[column] - _COLUMNS[column]) - (6 if column < 2 else 0)
        painter.setFont(font)  # type: ignore[arg-type]
        metrics = QFontMetricsF(painter.font())
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        painter.setPen(self._appearance.color(tone))
        baseline = round(y + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(left, baseline), shown)
