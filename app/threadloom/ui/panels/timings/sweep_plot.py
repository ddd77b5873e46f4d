# SPDX-License-Identifier: MIT
"""The plot of times over sizes, in which a click sets the size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent

from threadloom.model.array import Array
from threadloom.model.provenance import Provenance
from threadloom.presentation.bench.decimate import decimate
from threadloom.presentation.figures.curve import Curve, bounds
from threadloom.presentation.figures.log_ticks import whole_decades
from threadloom.text import _, count
from threadloom.ui.figures.marker import draw_marker
from threadloom.ui.figures.pages.themed_painter import DASHES, ThemedPainter, text_width
from threadloom.ui.figures.sweep import (
    Crossing,
    end_label_room,
    label_of,
    paint_below,
    paint_break_even,
    paint_end_labels,
)
from threadloom.ui.panels.timings.log_axis import SizeAxis, TimeAxis
from threadloom.ui.theme.theme import Appearance, Role

_MARKERS = {"circle": "o", "square": "s", "diamond": "d", "triangle": "t1"}
_NEAR_PX = 8.0
_MOST_MARKERS = 80
_SLACK = 0.004
"""Decades beyond the first and the last tick, which would else be lost to rounding."""


class SweepPlot(pg.PlotWidget):  # type: ignore[misc]
    """Curves over size on two logarithmic axes."""

    size_picked = Signal(object)
    """int: the size at which a user has clicked."""

    def __init__(self, appearance: Appearance) -> None:
        self._times, self._sizes = TimeAxis("left"), SizeAxis("bottom")
        super().__init__(axisItems={"left": self._times, "bottom": self._sizes})
        self._appearance = appearance
        self._curves: list[Curve] = []
        self._lines: list[Any] = []
        self._bands: list[Any] = []
        self._drawn: tuple[object, ...] = ()
        self._live = False
        self._axis_text = ""
        self._cursor: float | None = None
        self._break_even: Crossing | None = None
        """Where the names of the curves stand, as last drawn."""
        self._prepare()
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def _prepare(self) -> None:
        item = self.getPlotItem()
        item.setLogMode(True, True)
        item.setMenuEnabled(False)
        item.hideButtons()
        item.showGrid(x=True, y=True, alpha=1.0)
        self.setAccessibleName(_("Time by size"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        item.getViewBox().sigRangeChanged.connect(lambda *_a: self.viewport().update())

    def show_curves(
        self,
        shown: list[Curve],
        axis_text: str,
        *,
        sizes: Sequence[int] = (),
        live: bool = False,
    ) -> None:
        """Draw these; live ones thin and opaque, because they change with every turn of a knob."""
        self._curves, self._axis_text, self._live = shown, axis_text, live
        self._sizes.sizes = sizes
        self._redraw()

    def set_cursor(self, size: float | None) -> None:
        """Point at a size."""
        if size != self._cursor:
            self._cursor = size
            self.viewport().update()

    def set_break_even(self, found: Crossing | None) -> None:
        """Mark where the GPU becomes faster."""
        self._break_even = found
        self.viewport().update()

    def plot_rect(self) -> QRectF:
        """Rectangle between the axes, in pixels."""
        box = self.getPlotItem().getViewBox()
        return QRectF(box.mapRectToScene(box.boundingRect()))

    def place(self, size: float, seconds: float) -> QPointF:
        """Pixel of a point."""
        box = self.getPlotItem().getViewBox()
        return QPointF(box.mapViewToScene(QPointF(math.log10(size), math.log10(seconds))))

    def _at(self, size: float, seconds: float) -> QPointF:
        """Place of a point in the units of figures."""
        return self.place(size, seconds) / self._appearance.text_scale

    def fit(self) -> None:
        """Show all points, times in whole decades."""
        reach = bounds(self._curves)
        if reach is None:
            return
        smallest, largest, low, high = reach
        if self._cursor is not None and self._live:
            smallest, largest = min(smallest, self._cursor), max(largest, self._cursor)
        if smallest == largest:
            smallest, largest = smallest / 3, largest * 3
        shortest, longest = whole_decades(low, high)
        box = self.getPlotItem().getViewBox()
        left, right = math.log10(smallest), math.log10(largest)
        margin = (right - left) * 0.02
        box.setRange(
            xRange=(left - margin, right + margin),
            yRange=(math.log10(shortest) - _SLACK, math.log10(longest) + _SLACK),
            padding=0,
        )

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:  # noqa: N802
        """Draw names, cursor, rings and the break-even mark over the curves."""
        if not self._curves:
            return
        painter.save()
        scale = self._appearance.text_scale
        painter.scale(scale, scale)  # texts and marks grow with the text size
        themed = ThemedPainter(painter, self._appearance.theme)
        whole = self.plot_rect()
        plot = QRectF(whole.topLeft() / scale, whole.size() / scale)
        self._draw_titles(themed, plot)
        for curve in (one for one in self._curves if one.below.any()):
            places = zip(curve.size, curve.median_s, strict=True)
            paint_below(themed, curve, [self._at(float(n), float(s)) for n, s in places])
        if self._break_even is not None:
            paint_break_even(themed, plot, self._at, self._break_even)
        if self._cursor is not None:
            self._draw_cursor(themed, plot, self._cursor)
        ends = [self._at(float(c.size[-1]), float(c.median_s[-1])) for c in self._curves]
        paint_end_labels(themed, plot, ends, self._curves)
        painter.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the room for names and titles."""
        super().resizeEvent(event)
        if hasattr(self, "_axis_text"):
            self._make_room()

    def _draw_titles(self, painter: ThemedPainter, plot: QRectF) -> None:
        painter.text(plot.left(), plot.top() - 10, _("Time per run"), tone="text-2")
        if plot.height() > 90:
            width = text_width(self._axis_text)
            painter.text(plot.right() - width, plot.bottom() + 26, self._axis_text, tone="text-2")

    def _draw_cursor(self, painter: ThemedPainter, plot: QRectF, size: float) -> None:
        x = self._at(size, 1.0).x()
        if not plot.left() - 1 <= x <= plot.right() + 1:
            return
        painter.upright(x, plot.top(), plot.bottom(), "accent-text")
        for curve in self._curves:
            seconds = curve.at(size)
            if seconds is not None:
                at = self._at(size, seconds)
                if plot.adjusted(-2, -2, 2, 2).contains(at):
                    tone = painter.color(curve.style.tone)
                    ground = painter.color("bg-canvas")
                    draw_marker(painter.painter, at, "circle", tone, 4, ground)
        text = _("n = {size}").format(size=count(size))
        half = text_width(text, bold=True) / 2 + 6
        x = min(max(x, plot.left() + half), plot.right() + 60 - half)
        title_end = plot.left() + text_width(_("Time per run")) + 8
        x = max(x, title_end + half)
        painter.tag(QPointF(x, plot.top() - 10), text, "accent", "on-accent")

    def _redraw(self) -> None:
        if not self._update_lines():
            item = self.getPlotItem()
            for old in [*self._lines, *self._bands]:
                item.removeItem(old)
            self._lines, self._bands = [], []
            for curve in self._curves:
                self._add(curve)
            self._drawn = self._likeness()
        self._make_room()
        self.fit()
        self.viewport().update()

    def _likeness(self) -> tuple[object, ...]:
        """What must be the same for lines to be used again: a new one takes a while to make."""
        keys = tuple((curve.series.key, curve.provenance) for curve in self._curves)
        return (*keys, self._live, self._appearance.theme.name, self._appearance.text_scale)

    def _update_lines(self) -> bool:
        """Give the lines that are there new points; False if they cannot be used."""
        if not self._live or self._likeness() != self._drawn:
            return False
        for curve, line in zip(self._curves, self._lines, strict=True):
            line.setData(*self._points(curve), symbol=self._symbol(curve))
        return True

    def _points(self, curve: Curve) -> tuple[Array, Array]:
        return decimate(curve.size, curve.median_s, 2 * max(200, self.width()))

    def _symbol(self, curve: Curve) -> str | None:
        """Markers, as long as they stand apart."""
        return _MARKERS[curve.style.marker] if curve.size.size <= _MOST_MARKERS else None

    def _add(self, curve: Curve) -> None:
        item = self.getPlotItem()
        color = self._appearance.color(curve.style.tone)
        if curve.has_range and not self._live:
            self._bands += self._band(curve, color)
        pen = pg.mkPen(color, width=1 if self._live else 1.75)
        if not self._live:
            pen.setStyle(DASHES[curve.provenance])
        hollow = curve.provenance is not Provenance.MEASURED
        drawn = pg.PlotDataItem(
            *self._points(curve),
            pen=pen,
            antialias=not self._live,
            symbol=self._symbol(curve),
            symbolSize=6.5,
            symbolPen=pg.mkPen(color, width=1.2),
            symbolBrush=self._appearance.color("bg-canvas") if hollow else color,
            name=label_of(curve),
        )
        item.addItem(drawn)
        self._lines.append(drawn)

    def _band(self, curve: Curve, color: QColor) -> list[Any]:
        unseen = pg.mkPen(None)  # with no pen at all the edges would hold no points
        low = pg.PlotDataItem(curve.size, curve.low_s, pen=unseen)
        high = pg.PlotDataItem(curve.size, curve.high_s, pen=unseen)
        pale = QColor(color)
        pale.setAlphaF(0.22)
        item = self.getPlotItem()
        for edge in (low, high):
            item.addItem(edge)
        band = pg.FillBetweenItem(low.curve, high.curve, brush=pale)
        band.setZValue(-10)
        item.addItem(band)
        return [band, low, high]

    def _make_room(self) -> None:
        """Margins in which titles and names stand; the layout would cut them off otherwise."""
        right = end_label_room(self._curves) if self._curves else 12.0
        tall = self.height() > 150
        layout = self.getPlotItem().layout
        scale = self._appearance.text_scale
        below = (18 if tall else 2) * scale
        layout.setContentsMargins(8, 22 * scale, right * scale, below)
        layout.activate()

    def _on_mouse_clicked(self, event: Any) -> None:
        if event.double():
            self.fit()
            return
        at = QPointF(event.scenePos())
        if event.button() != Qt.MouseButton.LeftButton or not self.plot_rect().contains(at):
            return
        view = self.getPlotItem().getViewBox().mapSceneToView(at)
        self.size_picked.emit(self._snapped(10 ** view.x(), at.x()))
        event.accept()

    def _snapped(self, size: float, x: float) -> int:
        """The timed size if the pointer is near one, else two significant digits."""
        timed = np.unique(np.concatenate([curve.size for curve in self._curves]))
        for known in timed:
            if abs(self.place(float(known), 1.0).x() - x) <= _NEAR_PX:
                return int(known)
        unit = 10 ** max(0, math.floor(math.log10(max(size, 1))) - 1)
        return max(1, int(round(size / unit) * unit))

    def _on_appearance_changed(self) -> None:
        color = self._appearance.color
        self.setBackground(color("bg-canvas"))
        for axis in (self._times, self._sizes):
            axis.setZValue(-100)
            axis.setTextPen(color("text-3"))
            axis.setPen(pg.mkPen(color("border-subtle")))
            axis.setTickPen(pg.mkPen(color("border-subtle")))
            axis.setTickFont(self._appearance.font(Role.CAPTION))
            axis.setStyle(tickLength=0, tickTextOffset=6)
        self._times.setWidth(58 * self._appearance.text_scale)
        self._sizes.setHeight(20 * self._appearance.text_scale)
        self._redraw()
