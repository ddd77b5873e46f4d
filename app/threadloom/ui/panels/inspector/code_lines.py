# SPDX-License-Identifier: MIT
"""A few lines of the source with one of them set off."""

from __future__ import annotations

from typing import Any

from pygments.lexers.c_like import CudaLexer  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Name, Number, String  # type: ignore[import-untyped]
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.ui.theme.theme import Appearance, Role

LINE = 20
NUMBER_WIDTH = 20
PADDING = 16
BEFORE = 2
AFTER = 2
_TONES = (
    (Comment.Preproc, "code-kw"),
    (Comment, "code-com"),
    (Keyword.Type, "code-type"),
    (Keyword, "code-kw"),
    (Name.Builtin, "code-type"),
    (Name.Function, "code-fn"),
    (Number, "code-num"),
    (String, "code-num"),
)


class CodeLines(QWidget):
    """Paints lines of CUDA C; a click asks to see one in the source."""

    line_clicked = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._lexer = CudaLexer(stripnl=False, ensurenl=False)
        self._lines: list[tuple[int, list[tuple[str, str]]]] = []
        self._marked = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        appearance.changed.connect(self.update)

    @property
    def marked(self) -> int:
        """Number of the line that is set off; 0 for none."""
        return self._marked

    def show_line(self, source: str, line: int) -> None:
        """Show a line among its neighbors."""
        lines = source.splitlines()
        first = max(1, min(line - BEFORE, len(lines) - BEFORE - AFTER))
        shown = range(first, min(len(lines), first + BEFORE + AFTER) + 1)
        indent = min(
            (
                len(text) - len(text.lstrip())
                for text in (lines[n - 1] for n in shown)
                if text.strip()
            ),
            default=0,
        )
        self._marked = line
        self._lines = [(n, self._parts(lines[n - 1][indent:])) for n in shown]
        self.setAccessibleName(lines[line - 1].strip() if 0 < line <= len(lines) else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One row a line."""
        return QSize(200, round(LINE * self._appearance.text_scale) * max(1, len(self._lines)))

    def minimumSizeHint(self) -> QSize:
        """All lines; long ones are cut."""
        return QSize(100, self.sizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask to see the line in the source."""
        row = int(event.position().y() // round(LINE * self._appearance.text_scale))
        if 0 <= row < len(self._lines):
            self.line_clicked.emit(self._lines[row][0])

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw numbers and colored code."""
        painter = QPainter(self)
        font = self._appearance.font(Role.CODE)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        height = round(LINE * self._appearance.text_scale)
        for row, (number, parts) in enumerate(self._lines):
            top = row * height
            baseline = top + (height + metrics.ascent() - metrics.descent()) / 2
            if number == self._marked:
                color = self._appearance.color
                painter.fillRect(0, top, self.width(), height, color("focus-soft"))
                painter.fillRect(0, top, 2, height, color("focus"))
            self._paint_line(painter, metrics, baseline, number, parts)

    def _paint_line(
        self,
        painter: QPainter,
        metrics: QFontMetricsF,
        baseline: float,
        number: int,
        parts: list[tuple[str, str]],
    ) -> None:
        painter.setPen(self._appearance.color("text-3"))
        digits = str(number)
        x = PADDING + NUMBER_WIDTH - 4 - metrics.horizontalAdvance(digits)
        painter.drawText(QPointF(x, baseline), digits)
        x = float(PADDING + NUMBER_WIDTH + 6)
        columns = int((self.width() - PADDING - x) / max(1.0, metrics.horizontalAdvance("0")))
        for text, tone in cut(parts, columns):
            painter.setPen(self._appearance.color(tone))
            painter.drawText(QPointF(x, baseline), text)
            x += metrics.horizontalAdvance(text)

    def _parts(self, text: str) -> list[tuple[str, str]]:
        tokens = self._lexer.get_tokens(text.expandtabs(4))
        return [
            (value.replace("\n", ""), _tone(kind)) for kind, value in tokens if value.strip("\n")
        ]


def cut(parts: list[tuple[str, str]], columns: int) -> list[tuple[str, str]]:
    """Parts of a line that fit so many columns; a longer line ends in an ellipsis."""
    whole = "".join(text for text, _tone in parts).rstrip()
    if len(whole) <= columns:
        return parts
    kept, left = [], columns - 1
    for text, tone in parts:
        kept.append((text[:left], tone))
        left -= len(text)
        if left <= 0:
            break
    return [*kept, ("…", "text-3")]


def _tone(kind: Any) -> str:
    for token, tone in _TONES:
        if kind in token:
            return tone
    return "text"
