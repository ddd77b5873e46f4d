# SPDX-License-Identifier: MIT
"""The strip left of the code: line numbers and marks of problems."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from threadloom.model.severity import Severity
from threadloom.presentation.source.problem import Problem
from threadloom.ui.panels.source.code_view import CodeView
from threadloom.ui.theme.icons import pixmap
from threadloom.ui.theme.theme import Appearance

WIDTH = 62
_ICONS = {Severity.ERROR: ("error", "error"), Severity.WARNING: ("warning", "warn")}


class LineStrip(QWidget):
    """Follows the editor's scrolling."""

    def __init__(self, appearance: Appearance, code: CodeView, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._code = appearance, code
        self._problems: dict[int, Problem] = {}
        self.setFixedWidth(round(WIDTH * appearance.text_scale))
        code.moved.connect(self.update)
        appearance.changed.connect(self._on_appearance_changed)

    def show_problems(self, problems: dict[int, Problem]) -> None:
        """Mark these lines with the worst problem of each."""
        self._problems = problems
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the numbers of the visible lines and the marks."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-input"))
        for number, place in self._code.visible_lines():
            row = QRect(0, round(place.top()), self.width(), round(place.height()))
            self._draw_ground(painter, number, row)
            current = number == self._code.current_line
            tone = "text" if current else "text-3"
            painter.setPen(self._appearance.color(tone))
            painter.setFont(self._code.font())
            text_row = row.adjusted(0, 2, -14, 2)
            painter.drawText(
                text_row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number)
            )

    def event(self, event: QEvent) -> bool:
        """Say in a tip what is wrong with a line."""
        if isinstance(event, QHelpEvent):
            for number, place in self._code.visible_lines():
                if place.top() <= event.pos().y() < place.bottom() and number in self._problems:
                    QToolTip.showText(event.globalPos(), self._problems[number].message, self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)

    def _draw_ground(self, painter: QPainter, number: int, row: QRect) -> None:
        tone = self._code.ground_of(number)
        if tone:
            painter.fillRect(row, self._appearance.color(tone))
        if tone == "focus-soft":
            painter.fillRect(0, row.top(), 2, row.height(), self._appearance.color("focus"))
        problem = self._problems.get(number)
        if problem is not None:
            name, ink = _ICONS[problem.severity]
            drawn = pixmap(self._appearance, name, ink, 14, self.devicePixelRatioF())
            painter.drawPixmap(12, row.center().y() - 6, drawn)

    def _on_appearance_changed(self) -> None:
        self.setFixedWidth(round(WIDTH * self._appearance.text_scale))
        self.update()
