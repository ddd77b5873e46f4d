# SPDX-License-Identifier: MIT
"""The bar above the canvas: index formulas of the selected thread, and its element's value."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.presentation.mapping.formula import Formula, Term
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role
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
        self._shown: tuple[Formula, ...] = ()
        self._value = ("", "")
        self._hint = ""
        self._pinned = Chip(appearance, _("Pinned"), "pinned", "pin", self)
        self._pinned.hide()
        self._is_pinned = False
        self._role = Role.FORMULA
        self._shows_value = False
        self._edge = 0.0
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
        self._share_out()

    def show_value(self, before: str, value: str) -> None:
        """Show an element's computation, with its value set off."""
        self._value = (before, value)
        self._share_out()

    def show_pinned(self, pinned: bool) -> None:
        """Say whether the selected thread is kept."""
        self._is_pinned = pinned
        self._share_out()

    def value_text(self) -> str:
        """The computation as one text."""
        return " = ".join(part for part in self._value if part)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the formulas at the left and the value at the right, as far as there is room."""
        painter = QPainter(self)
        color = self._appearance.color
        painter.fillRect(self.rect(), color("bg-canvas"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, color("border-subtle"))
        if self._shows_value:
            self._paint_words(painter)
        if not self._formulas:
            painter.setFont(self._appearance.font(Role.BODY))
            painter.setPen(color("text-3"))
            place = self.rect().adjusted(SIDE, 0, -SIDE, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._hint)
            return
        x = float(SIDE)
        for number, formula in enumerate(self._shown):
            if number and x + self._width(formula) > self._edge + SIDE:
                break
            if number:
                middle = round(x - BETWEEN / 2)
                painter.fillRect(middle, 10, 1, self.height() - 20, color("border-subtle"))
            x = self._paint_formula(painter, formula, x) + BETWEEN

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Share the bar out anew."""
        self._share_out()

    def _share_out(self) -> None:
        """Formulas first, then the value, then the chip, each where there is room for it."""
        self._edge = float(self.width() - SIDE)
        free = self._edge - SIDE - self._choose_size()
        words = self._words_width()
        self._shows_value = bool(words) and words + BETWEEN <= free
        if self._shows_value:
            self._edge -= words + SIDE
            free -= words + BETWEEN
        size = self._pinned.sizeHint()
        fits = self._is_pinned and size.width() + SIDE <= free
        self._pinned.setVisible(fits)
        if fits:
            left = round(self._edge - size.width())
            self._pinned.setGeometry(
                left, (self.height() - size.height()) // 2, size.width(), size.height()
            )
            self._edge = float(left - SIDE)
        self.update()

    def _choose_size(self) -> float:
        """Take smaller letters, then short names, then only results, if not all fits.

        Returns:
            The width of what is taken.
        """
        room = self.width() - 2 * SIDE
        for self._role in (Role.FORMULA, Role.CODE):
            self._shown = self._formulas
            if (needed := self._needed()) <= room:
                return needed
        for lesser in (_short, _result):
            for whole in range(len(self._formulas) - 1, 0, -1):
                self._shown = self._formulas[:whole] + tuple(map(lesser, self._formulas[whole:]))
                if (needed := self._needed()) <= room:
                    return needed
        return needed

    def _needed(self) -> float:
        between = BETWEEN * max(0, len(self._shown) - 1)
        return between + sum(self._width(formula) for formula in self._shown)

    def _words_width(self) -> float:
        before, value = self._value
        plain = QFontMetricsF(self._appearance.font(Role.BODY))
        bold = QFontMetricsF(self._appearance.font(Role.BODY, bold=True))
        words = f"{before} = " if value else before
        return plain.horizontalAdvance(words) + bold.horizontalAdvance(value)

    def _paint_words(self, painter: QPainter) -> None:
        before, value = self._value
        plain = self._appearance.font(Role.BODY)
        bold = self._appearance.font(Role.BODY, bold=True)
        words = f"{before} = " if value else before
        x = self.width() - SIDE - QFontMetricsF(bold).horizontalAdvance(value)
        self._paint_left(painter, bold, "focus", value, x)
        x -= QFontMetricsF(plain).horizontalAdvance(words)
        self._paint_left(painter, plain, "text-2", words, x)

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

    def _paint_left(self, painter: QPainter, font: QFont, tone: str, words: str, x: float) -> None:
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._appearance.color(tone))
        baseline = round((self.height() + metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), words)

    def _fonts(self) -> tuple[QFont, QFont]:
        appearance = self._appearance
        return appearance.font(self._role), appearance.font(self._role, bold=True)

    def _term_width(self, term: Term) -> float:
        plain, bold = self._fonts()
        number = QFontMetricsF(bold if term.own else plain).horizontalAdvance(term.number)
        return max(QFontMetricsF(plain).horizontalAdvance(term.name), number)

    def _width(self, formula: Formula) -> float:
        space = QFontMetricsF(self._fonts()[0]).horizontalAdvance(" ")
        return sum(self._term_width(term) + space for term in formula.terms)

    def _on_appearance_changed(self) -> None:
        self.setFixedHeight(round(HEIGHT * self._appearance.text_scale))
        self._share_out()


def _short(formula: Formula) -> Formula:
    return formula.short


def _result(formula: Formula) -> Formula:
    return formula.result


def _is_sign(term: Term) -> bool:
    return not (term.name[0].isalnum() or term.name[0] == "_")


def _spaced(formula: Formula, below: bool) -> list[str]:
    return [f"{term.number if below else term.name} " for term in formula.terms]
