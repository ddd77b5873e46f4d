# SPDX-License-Identifier: MIT
"""The figure of a sweep over launches: a curve, a heat map or bars, by what it goes over."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from threadloom.services.messages.launch_sweep import LaunchPoint, LaunchSweepResult
from threadloom.text import _
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.heat_map import HeatMap, paint_heat_map
from threadloom.ui.figures.launch_cell import Cell, Marks, block_of
from threadloom.ui.figures.launch_curve import LaunchCurve, paint_curve
from threadloom.ui.figures.launch_text import Titles, block_text, conclusion
from threadloom.ui.figures.pages.themed_painter import Side, ThemedPainter
from threadloom.ui.figures.variant_bars import VariantBars, paint_bars
from threadloom.ui.theme.theme import Theme

_FADED = 0.38


@dataclass(frozen=True, slots=True)
class LaunchSweepFigure:
    """A finished, stopped or running sweep over blocks or variants."""

    result: LaunchSweepResult
    titles: Titles = field(default_factory=dict)
    """Titles of the operation's variants."""
    wanted: tuple[LaunchPoint, ...] = ()
    """Launches of the sweep that have no time yet; they keep their place."""
    marks: Marks = Marks()
    faded: bool = False
    """Whether it is of another problem than the chosen one."""

    @property
    def points(self) -> tuple[LaunchPoint, ...]:
        """What is known."""
        return self.result.points

    @property
    def over_variants(self) -> bool:
        """Whether every launch is a variant's own."""
        shown = (*self.points, *self.wanted)
        return bool(shown) and all(point.choice.block is None for point in shown)

    @property
    def is_plane(self) -> bool:
        """Whether blocks differ in more than x."""
        blocks = [block_of(point) for point in (*self.points, *self.wanted)]
        return any(block is not None and (block.y > 1 or block.z > 1) for block in blocks)

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        job = self.result.job
        if self.over_variants:
            return f"{job.operation}_variants"
        return f"{job.operation}_{job.variant}_blocks"

    @property
    def title(self) -> str:
        """What is shown."""
        if self.over_variants:
            return _("Variants")
        return _("Block shapes") if self.is_plane else _("Block sizes")

    @property
    def sentence(self) -> str:
        """What it comes to."""
        names = {point: self.name_of(point) for point in self.points}
        return conclusion(self.points, names)

    @property
    def values(self) -> Values:
        """Times by launch."""
        return {
            "points": [
                {
                    "variant": point.choice.variant,
                    "block": block_text(point, 2 if self.is_plane else 1),
                    "source": str(point.provenance),
                    "device": point.device,
                    "median_s": None if point.samples is None else point.samples.median_s,
                    "samples_s": [] if point.samples is None else list(point.samples.seconds),
                    "warps_per_sm": point.warps_per_sm,
                    "skipped": point.skipped.english(),
                }
                for point in self.points
            ],
            "environment": dict(self.result.environment),
            "complete": self.result.complete,
        }

    def name_of(self, point: LaunchPoint) -> str:
        """A launch for a user: its block, or its variant's title."""
        if point.choice.block is None:
            return self.titles.get(point.choice.variant, point.choice.variant)
        return block_text(point, 2 if self.is_plane else 1)

    def cells(self, rect: QRectF) -> tuple[Cell, ...]:
        """Where the launches stand, if the figure is painted into this rectangle."""
        return self._layout(rect).cells

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw it all, faded if it is of another problem."""
        sketch = ThemedPainter(painter, theme)
        layout = self._layout(rect)
        if not layout.cells:
            text = _("No launch was timed.")
            sketch.text(rect.center().x(), rect.center().y(), text, side=Side.CENTER)
            return
        painter.save()
        if self.faded:
            painter.setOpacity(_FADED)
        if isinstance(layout, VariantBars):
            paint_bars(sketch, layout, self.marks, self.titles)
        elif isinstance(layout, HeatMap):
            paint_heat_map(sketch, layout, self.marks)
        else:
            paint_curve(sketch, layout, self.marks)
        painter.restore()

    def _layout(self, rect: QRectF) -> VariantBars | HeatMap | LaunchCurve:
        if self.over_variants:
            return VariantBars.fit(rect, self.points, self.wanted)
        if self.is_plane:
            return HeatMap.fit(rect, self.points, self.wanted)
        return LaunchCurve.fit(rect, self.points, self.wanted)
