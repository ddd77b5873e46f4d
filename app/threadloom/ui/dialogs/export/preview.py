# SPDX-License-Identifier: MIT
"""The page as it will be, to scale."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from threadloom.presentation.export.page_size import MM_PER_INCH, PageSize, PageSizeError
from threadloom.text import _, percent
from threadloom.ui.figures.pages.figure_page import FigurePage
from threadloom.ui.figures.pages.themed_painter import ThemedPainter
from threadloom.ui.theme.theme import Appearance, Theme

_SCREEN_DPI = 96.0
_TILE = 8


class Preview(QWidget):
    """Paints a page as large as there is room for."""

    scaled = Signal()
    """The page is shown larger or smaller."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._page: FigurePage | None = None
        self._paper = PageSize()
        self._theme = appearance.theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Preview"))

    def show_sheet(self, page: FigurePage | None, paper: PageSize, theme: Theme) -> None:
        """Show a page."""
        self._page, self._paper, self._theme = page, paper, theme
        self.setAccessibleDescription(page.heading if page is not None else "")
        self.update()

    def scale_words(self) -> str:
        """Size of the page and of the preview, such as "88 × 66 mm at 132 %"."""
        text = _("{width} × {height} mm at {share}")
        share = self._per_inch() / _SCREEN_DPI
        return text.format(
            width=f"{self._paper.width_mm:g}",
            height=f"{self._paper.height_mm:g}",
            share=percent(round(share, 2)),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of another scale."""
        super().resizeEvent(event)
        self.scaled.emit()

    def sizeHint(self) -> QSize:
        """As in the pictures."""
        return QSize(440, 350)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the page."""
        painter = QPainter(self)
        if self._page is None or not _drawable(self._paper):
            return
        per_inch = self._per_inch()
        width = self._paper.width_mm / MM_PER_INCH * per_inch
        height = self._paper.height_mm / MM_PER_INCH * per_inch
        painter.translate(round((self.width() - width) / 2), 0)
        themed = ThemedPainter(painter, self._appearance.theme)
        page = QRectF(0, 0, width, height)
        if self._page.transparent:
            _paint_checks(painter, page)
        painter.setClipRect(page)
        self._page.paint(painter, (width, height), self._paper.text_in(per_inch), self._theme)
        painter.setClipping(False)
        themed.box(page, None, "border-strong")

    def _per_inch(self) -> float:
        """Pixels of the preview for an inch of the page."""
        wide = self.width() / max(self._paper.width_mm, 1)
        high = self.height() / max(self._paper.height_mm, 1)
        return min(wide, high) * MM_PER_INCH


def _drawable(paper: PageSize) -> bool:
    try:
        paper.check()
    except PageSizeError:
        return False
    return True


def _paint_checks(painter: QPainter, page: QRectF) -> None:
    """A chequered ground, which stands for none."""
    painter.fillRect(page, Qt.GlobalColor.white)
    painter.save()
    painter.setClipRect(page)
    for row in range(int(page.height() // _TILE) + 1):
        for column in range(row % 2, int(page.width() // _TILE) + 1, 2):
            tile = QRectF(column * _TILE, row * _TILE, _TILE, _TILE)
            painter.fillRect(tile, Qt.GlobalColor.lightGray)
    painter.restore()
