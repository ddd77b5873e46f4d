# SPDX-License-Identifier: MIT
"""The bar above the canvas: index formulas of the followed thread, and its element's value."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.text import _
from threadloom.ui.mapping.formula import Formula, Term
from threadloom.ui.theme import Appearance, Role
from threadloom.ui.widgets.chip import Chip

HEIGHT = 54
SIDE = 16
BETWEEN = 24


class FormulaBar(QWidget):
    """Two aligned rows: names above, numbers below."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._formulas: tuple[Formula, ...] = ()
        self._value = ("", "")
        self._hint = ""
        self._pinned = Chip(appearance, _("Pinned"), "pinned", "pin", self)
        self._pinned.hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def sizeHint(self) -> QSize:
        """Two rows of code."""
        return QSize(400, self.height())

    def show_formulas(self, formulas: tuple[Formula, ...], hint: str = "") -> None:
        """Show these formulas, or a hint if there are none."""
        self._formulas, self._hint = formulas, hint
        rows = ["; ".join("".join(_spaced(f, below)) for f in formulas) for below in (False, True)]
        self.setAccessibleName(" — ".join(row for row in rows if row) or hint)
        self.update()

    def show_value(self, before: str, value: str) -> None:
        """Show an element's computation, with its value set off."""
        self._value = (before, value)
        self.update()

    def show_pinned(self, pinned: bool) -> None:
        """Say whether the followed thread is kept."""
        self._pinned.setVisible(pinned)
        self.update()

    def value_text(self) -> str:
        """The computation as one text."""
        return " = ".join(part for part in self._value if part)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the formulas at the left and the value at the right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-panel"))
        painter.fillRect(
            0, self.height() - 1, self.width(), 1, self._appearance.color("border-subtle")
        )
        edge = self._paint_value(painter)
        if not self._formulas:
            painter.setFont(self._appearance.font(Role.BODY))
            painter.setPen(self._appearance.color("text-3"))
            place = self.rect().adjusted(SIDE, 0, -SIDE, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._hint)
            return
        x = float(SIDE)
        for number, formula in enumerate(self._formulas):
            width = self._width(formula)
            if number and x + width > edge:
                break
            if number:
                middle = round(x - BETWEEN / 2)
                painter.fillRect(middle, 10, 1, 34, self._appearance.color("border-subtle"))
            x = self._paint_formula(painter, formula, x) + BETWEEN

    def _paint_formula(self, painter: QPainter, formula: Formula, x: float) -> float:
        plain, bold = self._fonts()
        space = QFontMetricsF(plain).horizontalAdvance(" ")
        first, second = self.height() * 0.33, self.height() * 0.67
        for term in formula.terms:
            width = self._term_width(term)
            tone = "text-2" if _is_sign(term) else "text"
            self._paint_middle(painter, plain, tone, term.name, x + width / 2, first)
            tone = "focus" if term.own else tone
            font = bold if term.own and not _is_sign(term) else plain
            self._paint_middle(painter, font, tone, term.number, x + width / 2, second)
            x += width + (0 if term.name in "()[" else space)
        return x

    def _paint_middle(
        self, painter: QPainter, font: QFont, tone: str, words: str, x: float, y: float
    ) -> None:
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._appearance.color(tone))
        baseline = round(y + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x - metrics.horizontalAdvance(words) / 2, baseline), words)

    def _paint_value(self, painter: QPainter) -> float:
        return self._placed_chip(self._paint_words(painter))

    def _placed_chip(self, edge: float) -> float:
        if self._pinned.isHidden():
            return edge
        size = self._pinned.sizeHint()
        left = round(edge - size.width())
        self._pinned.setGeometry(left, (self.height() - size.height()) // 2, *size.toTuple())
        return left - SIDE

    def _paint_words(self, painter: QPainter) -> float:
        before, value = self._value
        if not value and not before:
            return float(self.width() - SIDE)
        plain = self._appearance.font(Role.BODY)
        bold = self._appearance.font(Role.BODY, bold=True)
        words = f"{before} = " if value else before
        x = self.width() - SIDE - QFontMetricsF(bold).horizontalAdvance(value)
        self._paint_left(painter, bold, "focus", value, x)
        x -= QFontMetricsF(plain).horizontalAdvance(words)
        self._paint_left(painter, plain, "text-2", words, x)
        return x - SIDE

    def _paint_left(self, painter: QPainter, font: QFont, tone: str, words: str, x: float) -> None:
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._appearance.color(tone))
        baseline = round((self.height() + metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), words)

    def _fonts(self) -> tuple[QFont, QFont]:
        appearance = self._appearance
        return appearance.font(Role.FORMULA), appearance.font(Role.FORMULA, bold=True)

    def _term_width(self, term: Term) -> float:
        plain, bold = self._fonts()
        number = QFontMetricsF(bold if term.own else plain).horizontalAdvance(term.number)
        return max(QFontMetricsF(plain).horizontalAdvance(term.name), number)

    def _width(self, formula: Formula) -> float:
        space = QFontMetricsF(self._fonts()[0]).horizontalAdvance(" ")
        return sum(self._term_width(term) + space for term in formula.terms)

    def _on_appearance_changed(self) -> None:
        self.setFixedHeight(round(HEIGHT * self._appearance.text_scale))
        self.update()


def _is_sign(term: Term) -> bool:
    return not (term.name[0].isalnum() or term.name[0] == "_")


def _spaced(formula: Formula, below: bool) -> list[str]:
    return [f"{term.number if below else term.name} " for term in formula.terms]
