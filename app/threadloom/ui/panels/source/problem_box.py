# SPDX-License-Identifier: MIT
"""The box below a line that says what is wrong with it, with a button that mends it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from threadloom.presentation.source.problem import Problem
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.label import ElidedLabel


class ProblemBox(QWidget):
    """Message, detail, the compiler's words and the first fix."""

    fix_chosen = Signal(object)
    """Fix"""

    def __init__(self, appearance: Appearance, problem: Problem, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self.problem = appearance, problem
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        words = QVBoxLayout()
        words.setSpacing(2)
        message = _without_line(problem.message, problem.line)
        told = " ".join(_ended(part) for part in (message, problem.detail) if part)
        self.setAccessibleName(told)
        words.addWidget(ElidedLabel(appearance, told, Role.BUTTON))
        raw = problem.raw.strip().splitlines()
        if raw and raw[0] != problem.message:
            words.addWidget(ElidedLabel(appearance, raw[0], Role.CODE, "text-3"))
        row = QHBoxLayout(self)
        row.setContentsMargins(13, 7, 12, 7)
        row.setSpacing(12)
        row.addLayout(words, 1)
        if problem.fix is not None:
            fix = problem.fix
            button = Button(appearance, str(fix.title), "primary")
            button.clicked.connect(lambda: self.fix_chosen.emit(fix))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        appearance.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the box with a stroke in the problem's color at its left."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color("bg-raised"))
        painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        painter.fillRect(QRectF(0, 0, 2, self.height()), self._appearance.color("error"))


def _without_line(message: str, line: int) -> str:
    """What is said behind "Line 6: ": the box stands below that line."""
    before, mark, rest = message.partition(f" {line}: ")
    return rest if mark and " " not in before else message


def _ended(sentence: str) -> str:
    """A sentence with its full stop."""
    return sentence if sentence.endswith((".", "?", "!", ":")) else sentence + "."
