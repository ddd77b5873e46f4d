# SPDX-License-Identifier: MIT
"""Block shapes as a heat map: x of the block to the right, y upwards, the color is the time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from threadloom.model.provenance import Provenance
from threadloom.presentation.figures.launch_marks import Marks, block_of
from threadloom.presentation.mapping.colormap import color_table
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.text import _, count, duration
from threadloom.ui.figures.launch_cell import Cell, draw_frame
from threadloom.ui.figures.pages.themed_painter import (
    Side,
    ThemedPainter,
    slanted_lines,
    text_width,
)

_BAR_WIDTH, _BAR_GAP = 12.0, 18.0
_LEAST_TEXT = 15.0
"""Height of a cell from which its time is written on it."""
_LABEL_PITCH = 12.0
"""Height that a label of the y axis needs."""
_MOST_FRAMED = 3
"""A model may have many shortest times; frames around them all would say nothing."""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Where cells, axes and color bar stand in a rectangle."""

    plot: QRectF
    bar: QRectF
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    cells: tuple[Cell, ...]
    low_s: float
    high_s: float
    """Ends of the colors; equal where all times are."""

    @classmethod
    def fit(
        cls, rect: QRectF, points: Sequence[LaunchPoint], wanted: Sequence[LaunchPoint] = ()
    ) -> HeatMap:
        """Lay out; ``wanted`` are launches that still have no time but keep their place."""
        shown = {p.choice: p for p in (*wanted, *points)}
        blocks = [block for p in shown.values() if (block := block_of(p)) is not None]
        columns = tuple(sorted({block.x for block in blocks}))
        rows = tuple(sorted({block.y for block in blocks}))
        times = [p.samples.median_s for p in points if p.samples is not None]
        ends = (min(times, default=1.0), max(times, default=1.0))
        right = _BAR_GAP + _BAR_WIDTH + 8 + max(text_width(duration(end)) for end in ends)
        plot = rect.adjusted(30, 18, -right, -34)
        bar = QRectF(plot.right() + _BAR_GAP, plot.top(), _BAR_WIDTH, plot.height())
        layout = cls(plot, bar, columns, rows, (), *ends)
        cells = tuple(
            Cell(layout.place(block.x, block.y), point, rank(point, points))
            for point in shown.values()
            if (block := block_of(point)) is not None
        )
        return cls(plot, bar, columns, rows, cells, *ends)

    def place(self, x: int, y: int) -> QRectF:
        """Rectangle of a block's shape, on whole units, with a gap of one to the next."""
        wide = self.plot.width() / len(self.columns)
        high = self.plot.height() / len(self.rows)
        column, row = self.columns.index(x), self.rows.index(y)
        left = round(self.plot.left() + column * wide)
        top = round(self.plot.bottom() - (row + 1) * high)
        right = round(self.plot.left() + (column + 1) * wide)
        bottom = round(self.plot.bottom() - row * high)
        return QRectF(left, top, right - left - 1, bottom - top - 1)

    def share(self, seconds: float) -> float:
        """Where a time lies between the shortest (0) and the longest (1), on a log scale."""
        if self.high_s <= self.low_s:
            return 0.0
        return math.log(seconds / self.low_s) / math.log(self.high_s / self.low_s)


def paint_heat_map(painter: ThemedPainter, layout: HeatMap, marks: Marks) -> None:
    """Draw cells, axes and color bar."""
    if not layout.cells:
        return
    for cell in layout.cells:
        _paint_cell(painter, layout, cell)
    _paint_axes(painter, layout)
    _paint_bar(painter, layout)
    _paint_marks(painter, layout, marks)


def cell_color(painter: ThemedPainter, share: float) -> QColor:
    """Color of a time: bright is fast, so that the best cells stand out."""
    table = color_table("cividis", dark=painter.theme.is_dark)
    red, green, blue = table[round((1 - min(max(share, 0.0), 1.0)) * 255)]
    return QColor(round(float(red)), round(float(green)), round(float(blue)))


def _paint_cell(painter: ThemedPainter, layout: HeatMap, cell: Cell) -> None:
    samples, rect = cell.point.samples, cell.rect
    if samples is None:
        painter.box(rect, None, "border-subtle", 2)
        if cell.point.skipped and rect.height() >= _LEAST_TEXT:
            painter.text(rect.center().x(), rect.center().y(), "–", side=Side.CENTER)
        return
    color = cell_color(painter, layout.share(samples.median_s))
    painter.box(rect, color, None, 2)
    ink = QColor("#101216" if color.lightnessF() > 0.45 else "#FFFFFF")
    hatched = cell.point.provenance is not Provenance.MEASURED
    if hatched:
        _paint_hatch(painter, rect, ink)
    text = duration(samples.median_s)
    bold = cell.is_first
    if rect.height() >= _LEAST_TEXT and rect.width() >= text_width(text, bold=bold) + 4:
        at = rect.center()
        if hatched and painter.painter.opacity() == 1:  # else the patch would show by itself
            width = text_width(text, bold=bold) + 6
            painter.fill(QRectF(at.x() - width / 2, at.y() - 6, width, 12), color)
        painter.text(at.x(), at.y(), text, tone=ink, side=Side.CENTER, bold=bold)


def _paint_hatch(painter: ThemedPainter, rect: QRectF, ink: QColor) -> None:
    """Thin lines that say that nobody measured this."""
    pale = QColor(ink)
    pale.setAlphaF(0.22)
    reach = rect.left() - rect.height()
    for line in slanted_lines(rect, 7, reach - reach % 7):
        painter.line([line.p1(), line.p2()], pale, 1)


def _paint_axes(painter: ThemedPainter, layout: HeatMap) -> None:
    plot = layout.plot
    for x in layout.columns:
        place = layout.place(x, layout.rows[0])
        painter.text(place.center().x(), plot.bottom() + 9, count(x), side=Side.CENTER)
    every = max(1, math.ceil(_LABEL_PITCH * len(layout.rows) / max(plot.height(), 1)))
    for y in layout.rows[::every]:
        place = layout.place(layout.columns[0], y)
        painter.text(plot.left() - 6, place.center().y(), count(y), side=Side.RIGHT)
    painter.text(plot.left() - 28, plot.top() - 10, _("block y"), tone="text-2")
    painter.text(plot.right(), plot.bottom() + 25, _("block x"), tone="text-2", side=Side.RIGHT)


def _paint_bar(painter: ThemedPainter, layout: HeatMap) -> None:
    bar = layout.bar
    steps = max(2, int(bar.height()))
    for step in range(steps):
        y = bar.bottom() - (step + 1) * bar.height() / steps
        painter.fill(QRectF(bar.left(), y, bar.width(), 1.5), cell_color(painter, step / steps))
    painter.box(bar, None, "border-strong", 0)
    x = bar.right() + 6
    painter.text(x, bar.top() + 5, duration(layout.high_s), tone="text-2")
    if bar.height() > 2 * _LABEL_PITCH:
        painter.text(x, bar.bottom() - 5, duration(layout.low_s), tone="text-2")
    title = _("Time per run")
    painter.text(x + text_width(duration(layout.low_s)), bar.top() - 10, title, side=Side.RIGHT)


def _paint_marks(painter: ThemedPainter, layout: HeatMap, marks: Marks) -> None:
    alone = sum(cell.is_first for cell in layout.cells) <= _MOST_FRAMED
    for cell in layout.cells:
        if cell.is_first and alone:
            draw_frame(painter, cell.rect, "text")
        elif cell.rank is Rank.TIE:
            draw_frame(painter, cell.rect, "text", 1)
    for cell in layout.cells:
        if marks.is_chosen(cell.point):
            draw_frame(painter, cell.rect, "accent", 2)
        if marks.cursor == cell.point.choice:
            painter.box(cell.rect.adjusted(-2, -2, 2, 2), None, "accent-text", 3, 2)
