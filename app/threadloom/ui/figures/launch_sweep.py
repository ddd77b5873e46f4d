# SPDX-License-Identifier: MIT
"""The figure of a sweep over launches: a curve, a heat map or bars, by what it goes over."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from threadloom.presentation.figures.launch_sweep import LaunchSweepModel
from threadloom.text import _
from threadloom.ui.figures.heat_map import HeatMap, paint_heat_map
from threadloom.ui.figures.launch_cell import Cell
from threadloom.ui.figures.launch_curve import LaunchCurve, paint_curve
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter
from threadloom.ui.figures.variant_bars import VariantBars, paint_bars
from threadloom.ui.theme.theme import Theme

_FADED = 0.38


@dataclass(frozen=True, slots=True)
class LaunchSweepFigure(LaunchSweepModel):
    """A sweep over launches, painted."""

    def cells(self, rect: QRectF) -> tuple[Cell, ...]:
        """Where the launches stand, if the figure is painted into this rectangle."""
        return self._layout(rect).cells

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw it all, faded if it is of another problem."""
        themed = ThemedPainter(painter, theme)
        layout = self._layout(rect)
        if not layout.cells:
            text = _("No launch was measured.")
            themed.text(rect.center().x(), rect.center().y(), text, side=Side.CENTER)
            return
        painter.save()
        if self.faded:
            painter.setOpacity(_FADED)
        if isinstance(layout, VariantBars):
            paint_bars(themed, layout, self.marks, self.titles)
        elif isinstance(layout, HeatMap):
            paint_heat_map(themed, layout, self.marks)
        else:
            paint_curve(themed, layout, self.marks)
        painter.restore()

    def _layout(self, rect: QRectF) -> VariantBars | HeatMap | LaunchCurve:
        if self.over_variants:
            return VariantBars.fit(rect, self.points, self.wanted)
        if self.is_plane:
            return HeatMap.fit(rect, self.points, self.wanted)
        return LaunchCurve.fit(rect, self.points, self.wanted)
