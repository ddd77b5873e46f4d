# SPDX-License-Identifier: MIT
"""The figure of a size sweep: time per run over size, both logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import SeriesKey
from threadloom.presentation.figures.curve import Curve, bounds, curves, swept_sizes
from threadloom.presentation.figures.label_layout import spread_labels
from threadloom.presentation.figures.log_ticks import (
    decades,
    size_text,
    size_ticks,
    time_text,
    whole_decades,
)
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.messages.sweep import BreakEven, SweepResult
from threadloom.text import _, count
from threadloom.ui.figures.figure import Values
from threadloom.ui.figures.marker import draw_marker
from threadloom.ui.figures.pages.themed_painter import DASHES, Side, ThemedPainter, text_width
from threadloom.ui.theme.theme import Role, Theme

_LABEL_PITCH = 14.0


@dataclass(frozen=True, slots=True)
class SweepFigure:
    """One finished or stopped sweep."""

    result: SweepResult
    spread: bool = True
    """Draw the range of the runs."""
    break_even: bool = True
    """Mark where the GPU, copies counted, becomes faster."""
    axis_labels: bool = True
    end_labels: bool = True
    """Name the lines at their ends; a legend does it otherwise."""
    cursor: float | None = None
    """Size to point at."""

    @property
    def name(self) -> str:
        """Stem for a file's name."""
        return f"{self.result.job.operation}_{self.result.job.variant}_sweep"

    @property
    def title(self) -> str:
        """What is shown."""
        return _("Size sweep")

    @property
    def values(self) -> Values:
        """The series, as the command line's JSON has them."""
        return {
            "axis": self.result.axis.english(),
            "launch": self.result.launch_text.english(),
            "series": [_series_values(curve) for curve in curves(self.result.series)],
            "break_even": [
                {
                    "baseline": one.baseline.english(),
                    "size": one.size,
                    "low": one.low,
                    "high": one.high,
                }
                for one in self.result.break_even
            ],
            "environment": dict(self.result.environment),
            "complete": self.result.complete,
        }

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw axes, grid, ranges, lines, markers, names and the break-even mark."""
        shown = curves(self.result.series)
        themed = ThemedPainter(painter, theme)
        reach = bounds(shown)
        if reach is None:
            text = _("No size was measured.")
            themed.text(rect.center().x(), rect.center().y(), text, side=Side.CENTER)
            return
        painter.save()
        room = end_label_room(shown) if self.end_labels else 8.0
        chart = Chart.fit(rect, reach, room, axis_labels=self.axis_labels)
        self._paint_grid(themed, chart)
        for curve in shown if self.spread else ():
            _paint_band(themed, chart, curve)
        for curve in shown:
            _paint_line(themed, chart, curve)
        self._paint_marks(themed, chart, shown)
        if self.end_labels:
            paint_end_labels(themed, chart.plot, [chart.end(curve) for curve in shown], shown)
        painter.restore()

    def _paint_grid(self, painter: ThemedPainter, chart: Chart) -> None:
        plot = chart.plot
        for time in decades(chart.shortest, chart.longest, int(plot.height() // 16)):
            y = chart.at(chart.smallest, time).y()
            painter.across(plot.left(), plot.right(), y)
            painter.text(plot.left() - 6, y, time_text(time), side=Side.RIGHT)
        sizes = swept_sizes(self.result.series)
        ticks = size_ticks(chart.smallest, chart.largest, sizes, int(plot.width() // 46))
        for size in ticks:
            x = chart.at(size, chart.shortest).x()
            painter.upright(x, plot.top(), plot.bottom())
            painter.text(x, plot.bottom() + 11, size_text(size), side=Side.CENTER)
        painter.across(plot.left(), plot.right(), plot.bottom(), "border-strong")
        painter.upright(plot.left(), plot.top(), plot.bottom(), "border-strong")
        if self.axis_labels:
            painter.text(plot.left(), plot.top() - 10, _("Time per run"), tone="text-2")
            x = plot.right()
            painter.text(
                x, plot.bottom() + 25, str(self.result.axis), tone="text-2", side=Side.RIGHT
            )

    def _paint_marks(self, painter: ThemedPainter, chart: Chart, shown: list[Curve]) -> None:
        if self.cursor is not None and chart.smallest <= self.cursor <= chart.largest:
            x = chart.at(self.cursor, chart.shortest).x()
            painter.upright(x, chart.plot.top(), chart.plot.bottom(), "accent-text")
        found = break_even_point(self.result.break_even, shown) if self.break_even else None
        if found is not None:
            paint_break_even(painter, chart.plot, chart.at, found)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where the GPU, copies counted, meets a baseline."""

    size: float
    seconds: float
    low: float | None = None
    """Least that the size may be; None if that is not known."""
    high: float | None = None
    """Most that it may be; None if it may be that there is no such size."""

    @property
    def text(self) -> str:
        """What the mark says."""
        return _("break-even {size}").format(size=count(self.size))


def paint_break_even(
    painter: ThemedPainter, plot: QRectF, at: Callable[[float, float], QPointF], found: Crossing
) -> None:
    """Mark the crossing, and at the foot of the plot between which sizes it may lie."""
    place = at(found.size, found.seconds)
    if not plot.contains(place):
        return
    painter.line([place, QPointF(place.x(), plot.bottom())], "text-3", 1, Qt.PenStyle.DashLine)
    low = place.x() if found.low is None else max(plot.left(), at(found.low, found.seconds).x())
    if found.low is not None and found.low != found.high:
        open_ended = found.high is None
        right = plot.right() if found.high is None else at(found.high, found.seconds).x()
        right = min(right, plot.right())
        y = plot.bottom() - 4
        painter.fill(QRectF(low, y, right - low, 2), "text-3")
        for x in (low,) if open_ended else (low, right):
            painter.upright(x, y - 3, y + 5, "text-3")
    canvas = painter.color("bg-canvas")
    draw_marker(painter.painter, place, "circle", painter.color("text"), 4.5, canvas)
    half = text_width(found.text) / 2 + 6
    fits = place.x() + 6 + 2 * half < plot.right()
    x = place.x() + 6 + half if fits else place.x() - 6 - half
    tag = QPointF(x, plot.bottom() - 18)
    painter.tag(tag, found.text, "bg-raised", "text", "border-strong", bold=False)


@dataclass(frozen=True, slots=True)
class Chart:
    """A rectangle with logarithmic axes."""

    plot: QRectF
    smallest: float
    largest: float
    shortest: float
    longest: float

    @classmethod
    def fit(
        cls,
        rect: QRectF,
        reach: tuple[float, float, float, float],
        label_room: float,
        *,
        axis_labels: bool,
    ) -> Chart:
        """Leave room for ticks and names; widen times to whole decades."""
        smallest, largest, low, high = reach
        shortest, longest = whole_decades(low, high)
        if smallest == largest:
            smallest, largest = smallest / 2, largest * 2
        margin = (largest / smallest) ** 0.015
        top, bottom = (20.0, 34.0) if axis_labels else (6.0, 20.0)
        plot = rect.adjusted(52, top, -label_room, -bottom)
        return cls(plot, smallest / margin, largest * margin, shortest, longest)

    def at(self, size: float, seconds: float) -> QPointF:
        """Place of a point."""
        across = math.log(size / self.smallest) / math.log(self.largest / self.smallest)
        up = math.log(seconds / self.shortest) / math.log(self.longest / self.shortest)
        return QPointF(
            self.plot.left() + across * self.plot.width(),
            self.plot.bottom() - up * self.plot.height(),
        )

    def end(self, curve: Curve) -> QPointF:
        """Place of a curve's last point."""
        return self.at(float(curve.size[-1]), float(curve.median_s[-1]))


def _paint_band(painter: ThemedPainter, chart: Chart, curve: Curve) -> None:
    if not curve.has_range:
        return
    up = [chart.at(*point) for point in zip(curve.size, curve.high_s, strict=True)]
    down = [chart.at(*point) for point in zip(curve.size, curve.low_s, strict=True)]
    color = QColor(painter.color(curve.style.tone))
    color.setAlphaF(0.2)
    painter.polygon([*up, *reversed(down)], color)


def _paint_line(painter: ThemedPainter, chart: Chart, curve: Curve) -> None:
    points = [chart.at(*point) for point in zip(curve.size, curve.median_s, strict=True)]
    if len(points) > 1:
        painter.line(points, curve.style.tone, 1.75, DASHES[curve.provenance])
    hollow = curve.provenance is not Provenance.MEASURED
    ground = painter.color("bg-canvas") if hollow else None
    for point in points:
        draw_marker(
            painter.painter, point, curve.style.marker, painter.color(curve.style.tone), 3, ground
        )
    paint_below(painter, curve, points)


def paint_below(painter: ThemedPainter, curve: Curve, points: Sequence[QPointF]) -> None:
    """Small arrows down from the points whose times are less than the clock can tell."""
    for point, below in zip(points, curve.below, strict=True):
        if below:
            tip = point + QPointF(0, 13)
            painter.line([point + QPointF(0, 5), tip], curve.style.tone, 1.3)
            barbs = [tip + QPointF(-3, -3.5), tip, tip + QPointF(3, -3.5)]
            painter.line(barbs, curve.style.tone, 1.3)


def label_of(curve: Curve) -> str:
    """Name of a line, with where it comes from unless it was measured."""
    if curve.provenance is Provenance.MEASURED:
        return curve.name
    words = provenance_words(curve.provenance)
    return _("{name}, {provenance}").format(name=curve.name, provenance=words)


def end_label_of(curve: Curve) -> str:
    """Name at the end of a line; it says if larger sizes were skipped."""
    if not curve.note:
        return label_of(curve)
    last = count(float(curve.size[-1]))
    return _("{name}, skipped above {size}").format(name=label_of(curve), size=last)


def end_label_room(shown: list[Curve]) -> float:
    """Width that the names at the ends of the lines take."""
    return max(text_width(label_of(curve)) for curve in shown) + 14


def paint_end_labels(
    painter: ThemedPainter, plot: QRectF, ends: list[QPointF], shown: list[Curve]
) -> list[QRectF]:
    """Name the lines at their right ends, moved apart so that none lies on another.

    Returns where the names stand.
    """
    wanted = [end.y() for end in ends]
    places = spread_labels(wanted, _LABEL_PITCH, plot.top() - 2, plot.bottom() + 4)
    rects = []
    for curve, end, y in zip(shown, ends, places, strict=True):
        text = end_label_of(curve)
        early = curve.note and end.x() < plot.right() - 24
        room = plot.right() + end_label_room(shown) - 4
        x = min(end.x() + 8, room - text_width(text)) if early else plot.right() + 6
        rect = QRectF(x, y - 6, text_width(text), 12)
        if early:
            ground = QColor(painter.color("bg-canvas"))
            ground.setAlphaF(0.8)
            painter.fill(rect.adjusted(-2, 0, 2, 0), ground)
        painter.text(x, y, text, Role.CAPTION, curve.style.tone)
        rects.append(rect)
    return rects


def break_even_point(found: tuple[BreakEven, ...], shown: list[Curve]) -> Crossing | None:
    """Size and time where the GPU with copies meets a CPU baseline, NumPy's before others."""
    total = [curve for curve in shown if curve.series.key is SeriesKey.TOTAL]
    known = sorted(
        (b for b in found if b.size), key=lambda b: "numpy" not in b.baseline.english().lower()
    )
    if not total or not known or known[0].size is None:
        return None
    seconds = total[0].at(known[0].size)
    first = known[0]
    return None if seconds is None else Crossing(known[0].size, seconds, first.low, first.high)


def _series_values(curve: Curve) -> Values:
    series = curve.series
    return {
        "label": series.label.english(),
        "source": str(series.provenance),
        "engine": str(series.engine),
        "device": series.device,
        "baseline": series.baseline.english(),
        "points": [
            {
                "size": point.size,
                "median_s": point.samples.median_s,
                "low_s": point.samples.min_s,
                "high_s": point.samples.max_s,
                "min_s": point.samples.min_s,
                "max_s": point.samples.max_s,
                "samples": len(point.samples.seconds),
                "rule_met": point.samples.converged,
                "converged": point.samples.converged,
                "relative_half_width": point.samples.relative_half_width,
                "cold": point.samples.cold,
            }
            for point in series.points
            if point.samples is not None
        ],
    }
