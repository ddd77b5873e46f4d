# SPDX-License-Identifier: MIT
"""Block sizes as a curve: threads of a block to the right, the time upwards from zero."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import SeriesKey
from threadloom.presentation.figures.launch_marks import Marks, block_of
from threadloom.presentation.figures.launch_text import block_text
from threadloom.presentation.figures.percentile_range import percentile_range
from threadloom.presentation.figures.series_style import STYLES
from threadloom.services.bench.ranking import rank
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.text import _, duration
from threadloom.ui.figures.launch_cell import Cell
from threadloom.ui.figures.marker import draw_marker
from threadloom.ui.figures.pages.themed_painter import DASHES, Side, ThemedPainter, text_width

_STYLE = STYLES[SeriesKey.KERNEL]
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class LaunchCurve:
    """Where points and axes stand in a rectangle."""

    plot: QRectF
    threads: tuple[int, ...]
    cells: tuple[Cell, ...]
    top_s: float
    """Time at the upper end of the axis, in seconds."""

    @classmethod
    def fit(
        cls, rect: QRectF, points: Sequence[LaunchPoint], wanted: Sequence[LaunchPoint] = ()
    ) -> LaunchCurve:
        """Lay out; ``wanted`` are launches that still have no time but keep their place."""
        shown = {p.choice: p for p in (*wanted, *points)}
        blocks = {p: block for p in shown.values() if (block := block_of(p)) is not None}
        threads = tuple(sorted({block.count for block in blocks.values()}))
        longest = max((percentile_range(p.samples)[1] for p in points if p.samples), default=1.0)
        plot = rect.adjusted(56, 20, -16, -34)
        layout = cls(plot, threads, (), longest * 1.12)
        cells = tuple(
            Cell(layout.strip(block.count), point, rank(point, points))
            for point, block in sorted(blocks.items(), key=lambda pair: pair[1].count)
        )
        return cls(plot, threads, cells, layout.top_s)

    def across(self, threads: int) -> float:
        """Place of a block's size on a log axis; a single one stands in the middle."""
        low, high = math.log(self.threads[0]), math.log(self.threads[-1])
        share = (math.log(threads) - low) / (high - low) if high > low else 0.5
        inset = 18.0
        return self.plot.left() + inset + share * (self.plot.width() - 2 * inset)

    def at(self, threads: int, seconds: float) -> QPointF:
        """Place of a point."""
        up = seconds / self.top_s * self.plot.height()
        return QPointF(self.across(threads), self.plot.bottom() - up)

    def strip(self, threads: int) -> QRectF:
        """The upright strip in which a pointer means this size."""
        edges = [self.across(one) for one in self.threads]
        place = self.threads.index(threads)
        gap = min((b - a for a, b in itertools.pairwise(edges)), default=60.0)
        half = min(gap / 2, 30.0)
        return QRectF(edges[place] - half, self.plot.top(), 2 * half, self.plot.height())

    def ticks(self) -> list[float]:
        """Round times from zero on, about one for each 30 units of height."""
        rough = self.top_s / max(2.0, self.plot.height() / 30)
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(part * unit for part in _STEPS if part * unit >= rough * (1 - 1e-9))
        return [number * step for number in range(int(self.top_s / step) + 1)]


def paint_curve(painter: ThemedPainter, layout: LaunchCurve, marks: Marks) -> None:
    """Draw axes, range, line, markers and the fastest."""
    if not layout.cells:
        return
    _paint_axes(painter, layout)
    timed = [cell for cell in layout.cells if cell.point.samples is not None]
    _paint_chosen(painter, layout, marks)
    _paint_band(painter, layout, timed)
    _paint_line(painter, layout, timed)
    for cell in layout.cells:
        if marks.cursor == cell.point.choice:
            painter.box(cell.rect, None, "accent-text", 3, 2)
    _paint_first(painter, layout, timed)


def _paint_axes(painter: ThemedPainter, layout: LaunchCurve) -> None:
    plot = layout.plot
    for seconds in layout.ticks():
        y = layout.at(layout.threads[0], seconds).y()
        painter.across(plot.left(), plot.right(), y)
        painter.text(plot.left() - 6, y, duration(seconds) if seconds else "0", side=Side.RIGHT)
    free = plot.left() - 20
    for cell in layout.cells:
        x, text = cell.rect.center().x(), block_text(cell.point)
        if x - text_width(text) / 2 < free:
            continue
        free = x + text_width(text) / 2 + 6
        painter.upright(x, plot.top(), plot.bottom())
        painter.text(x, plot.bottom() + 10, text, side=Side.CENTER)
        if cell.point.skipped:
            painter.text(x, plot.bottom() - 8, "–", side=Side.CENTER)
    painter.across(plot.left(), plot.right(), plot.bottom(), "border-strong")
    painter.upright(plot.left(), plot.top(), plot.bottom(), "border-strong")
    painter.text(plot.left(), plot.top() - 11, _("Time per run"), tone="text-2")
    title = _("threads per block")
    painter.text(plot.right(), plot.bottom() + 26, title, tone="text-2", side=Side.RIGHT)


def _paint_chosen(painter: ThemedPainter, layout: LaunchCurve, marks: Marks) -> None:
    for cell in layout.cells:
        if marks.is_chosen(cell.point):
            x = cell.rect.center().x()
            painter.upright(x, layout.plot.top(), layout.plot.bottom(), "accent-text")
            half = text_width(block_text(cell.point), bold=True) / 2 + 6
            left = layout.plot.left() + text_width(_("Time per run")) + 8 + half
            at = QPointF(max(x, left), layout.plot.top() - 11)
            painter.tag(at, block_text(cell.point), "accent", "on-accent")


def _paint_band(painter: ThemedPainter, layout: LaunchCurve, timed: Sequence[Cell]) -> None:
    ranges = [(cell, percentile_range(cell.point.samples)) for cell in timed if cell.point.samples]
    if not any(high > low for _cell, (low, high) in ranges):
        return
    up = [layout.at(_threads(cell), high) for cell, (_low, high) in ranges]
    down = [layout.at(_threads(cell), low) for cell, (low, _high) in ranges]
    color = QColor(painter.color(_STYLE.tone))
    color.setAlphaF(0.2)
    painter.polygon([*up, *reversed(down)], color)


def _paint_line(painter: ThemedPainter, layout: LaunchCurve, timed: Sequence[Cell]) -> None:
    points = [_place(layout, cell) for cell in timed]
    if len(points) > 1:
        dash = DASHES[timed[0].point.provenance]
        painter.line(points, _STYLE.tone, 1.75, dash)
    for cell, at in zip(timed, points, strict=True):
        hollow = cell.point.provenance is not Provenance.MEASURED
        ground = painter.color("bg-canvas") if hollow else None
        tone = painter.color(_STYLE.tone)
        draw_marker(painter.painter, at, _STYLE.marker, tone, 3.5, ground)


def _paint_first(painter: ThemedPainter, layout: LaunchCurve, timed: Sequence[Cell]) -> None:
    """A ring around the fastest, with its time."""
    first = [cell for cell in timed if cell.is_first]
    for cell in first:
        painter.painter.setBrush(QColor(0, 0, 0, 0))
        painter.painter.setPen(painter.color("text"))
        painter.painter.drawEllipse(_place(layout, cell), 7, 7)
    if first and first[0].point.samples is not None:
        at = _place(layout, first[0])
        text = duration(first[0].point.samples.median_s)
        half = text_width(text) / 2 + 6
        x = min(max(at.x(), layout.plot.left() + half), layout.plot.right() - half)
        below = at.y() + 20 < layout.plot.bottom() - 8
        y = at.y() + 20 if below else at.y() - 20
        painter.tag(QPointF(x, y), text, "bg-raised", "text", "border-strong", bold=False)


def _place(layout: LaunchCurve, cell: Cell) -> QPointF:
    seconds = cell.point.samples.median_s if cell.point.samples is not None else 0.0
    return layout.at(_threads(cell), seconds)


def _threads(cell: Cell) -> int:
    block = block_of(cell.point)
    return block.count if block is not None else 1
