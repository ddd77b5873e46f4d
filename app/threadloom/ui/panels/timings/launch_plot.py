# SPDX-License-Identifier: MIT
"""A sweep over launches in the window: pointer and keyboard find a launch, a click takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from threadloom.presentation.figures.launch_text import point_words
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchPoint
from threadloom.text import _
from threadloom.ui.figures.launch_cell import Cell
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter
from threadloom.ui.theme.theme import Appearance

_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class LaunchPlot(QWidget):
    """Shows a `LaunchSweepFigure`. Arrow keys go from launch to launch, Enter takes one."""

    picked = Signal(object)
    """LaunchPoint that a user takes into the knobs."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.figure: LaunchSweepFigure | None = None
        self.cursor_at: LaunchChoice | None = None
        self._empty = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Time by launch"))
        appearance.changed.connect(self.update)

    def show_figure(self, figure: LaunchSweepFigure | None, empty: str = "") -> None:
        """Show this one; without any, say why there is none."""
        self.figure, self._empty = figure, empty
        if figure is None or self._cell(self.cursor_at) is None:
            self.cursor_at = None
        self._tell()
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Small enough for the smallest window."""
        return QSize(200, 90)

    def box(self) -> QRectF:
        """Where the figure is painted, in its own units."""
        scale = self._appearance.text_scale
        whole = QRectF(0, 0, self.width() / scale, self.height() / scale)
        return whole.adjusted(16, 6, -14, -2)

    def cells(self) -> tuple[Cell, ...]:
        """The launches with their places, in the figure's units."""
        return self.figure.cells(self.box()) if self.figure is not None else ()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure at the text size in force."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.color("bg-canvas"))
        scale = self._appearance.text_scale
        painter.scale(scale, scale)
        if self.figure is None:
            themed, center = ThemedPainter(painter, self._appearance.theme), self.box().center()
            themed.text(center.x(), center.y(), self._empty, side=Side.CENTER)
            return
        marks = replace(self.figure.marks, cursor=self.cursor_at)
        shown = replace(self.figure, marks=marks)
        shown.paint(painter, self.box(), self._appearance.theme)

    # Pointer ------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell of the launch under the pointer."""
        cell = self._under(event.position())
        self._move_to(cell.point.choice if cell is not None else None)
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if cell is not None else Qt.CursorShape.ArrowCursor
        )
        words = "\n".join(self._words(cell)) if cell is not None else ""
        QToolTip.showText(event.globalPosition().toPoint(), words, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the launch under the pointer."""
        cell = self._under(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self._move_to(cell.point.choice)
            self.picked.emit(cell.point)

    def leaveEvent(self, event: object) -> None:
        """Let go of the launch."""
        if not self.hasFocus():
            self._move_to(None)

    # Keyboard -----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to a neighbor, or take the launch."""
        cells, key = self.cells(), Qt.Key(event.key())
        if not cells:
            super().keyPressEvent(event)
        elif key in _STEPS:
            self._go(cells, *_STEPS[key])
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
            end = cells[0] if key == Qt.Key.Key_Home else cells[-1]
            self._move_to(end.point.choice)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._here() is not None:
            self.picked.emit(self._here())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the fastest launch."""
        super().focusInEvent(event)
        cells = self.cells()
        if cells and self.cursor_at is None and event.reason() != Qt.FocusReason.MouseFocusReason:
            first = [cell for cell in cells if cell.is_first]
            self._move_to((first or list(cells))[0].point.choice)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Let go of the launch."""
        super().focusOutEvent(event)
        self._move_to(None)

    def _go(self, cells: Sequence[Cell], right: int, down: int) -> None:
        here = self._cell(self.cursor_at)
        found = neighbor(here, cells, right, down) if here is not None else cells[0]
        if found is not None:
            self._move_to(found.point.choice)

    def _move_to(self, choice: LaunchChoice | None) -> None:
        if choice != self.cursor_at:
            self.cursor_at = choice
            self._tell()
            self.update()

    def _tell(self) -> None:
        """Say for screen readers where the pointer or the keyboard is, else what it comes to."""
        cell = self._cell(self.cursor_at)
        if cell is not None:
            self.setAccessibleDescription("; ".join(self._words(cell)))
        else:
            sentence = self.figure.sentence if self.figure is not None else self._empty
            self.setAccessibleDescription(sentence)

    def _words(self, cell: Cell) -> list[str]:
        figure = self.figure
        if figure is None:
            return []
        return point_words(cell.point, figure.points, figure.name_of(cell.point))

    def _here(self) -> LaunchPoint | None:
        cell = self._cell(self.cursor_at)
        return cell.point if cell is not None else None

    def _cell(self, choice: LaunchChoice | None) -> Cell | None:
        return next((cell for cell in self.cells() if cell.point.choice == choice), None)

    def _under(self, at: QPointF) -> Cell | None:
        place = at / self._appearance.text_scale
        return next((cell for cell in self.cells() if cell.rect.contains(place)), None)


def neighbor(here: Cell, cells: Sequence[Cell], right: int, down: int) -> Cell | None:
    """The nearest cell in a direction; those straight ahead come before those aside."""

    def distance(cell: Cell) -> float:
        off = cell.rect.center() - here.rect.center()
        ahead = off.x() * right + off.y() * down
        aside = abs(off.x() * down) + abs(off.y() * right)
        return ahead + 3 * aside if ahead > 1 else float("inf")

    nearest = min(cells, key=distance, default=None)
    return nearest if nearest is not None and distance(nearest) < float("inf") else None
