# SPDX-License-Identifier: MIT
"""Where the parts of a timeline stand, and the ticks of its time axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF

from threadloom.model.array import Array
from threadloom.presentation.figures.timeline_rows import TimelineRows

_LEFT, _CURVE, _AXIS = 44.0, 44.0, 20.0
_OVERVIEW = 112.0
_UNITS = (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0))


@dataclass(frozen=True, slots=True)
class TimelineLayout:
    """Where the parts of a timeline stand."""

    rect: QRectF
    curve: QRectF
    body: QRectF
    """Rows of the SMs that are seen."""
    overview: QRectF | None
    first: int
    last: int
    """SM after the last one that is seen."""
    bar: float
    """Height of one slot."""
    sm_height: float
    duration_s: float

    @classmethod
    def fit(cls, rect: QRectF, rows: TimelineRows, first_sm: int) -> TimelineLayout:
        """Lay out; bars are as high as is good to see, and as many SMs as there is room for."""
        wide = rect.width() >= 560
        right = rect.right() - (_OVERVIEW + 24 if wide else 8)
        curve_height = _CURVE if rect.height() > 260 else 18.0
        left = rect.left() + _LEFT
        curve = QRectF(left, rect.top() + 22, right - left, curve_height)
        top = curve.bottom() + 20
        below = _AXIS + (14.0 if rect.height() > 260 else 0.0)
        body = QRectF(left, top, right - left, max(24.0, rect.bottom() - below - top))
        lanes = rows.rows_per_sm if rows.bars else 1
        most = min(48.0, body.height() / 6 - 1)  # so that six SMs are seen at least
        bar = max(2.0, min(8.0, math.floor(most / lanes))) if rows.bars else 8.0
        sm_height = lanes * bar + 1
        if not rows.bars:
            sm_height = 9.0
        seen = max(1, min(rows.sms, int(body.height() // sm_height)))
        first = max(0, min(first_sm, rows.sms - seen))
        body.setHeight(max(24.0, seen * sm_height))
        overview = None
        if wide:
            top = body.top()
            overview = QRectF(rect.right() - _OVERVIEW, top, _OVERVIEW - 2, body.height() - 4)
        return cls(
            rect,
            curve,
            body,
            overview,
            first,
            first + seen,
            bar,
            sm_height,
            rows.timeline.duration_s or 1.0,
        )

    @property
    def label_step(self) -> int:
        """Every how many-th SM has its number."""
        return max(1, math.ceil(12 / self.sm_height))

    def x(self, seconds: float | Array) -> Array:
        """Place of a time."""
        return np.asarray(self.body.left() + np.asarray(seconds) / self.duration_s * self._width)

    def seconds(self, x: float) -> float:
        """Time of a place, within the launch."""
        share = (x - self.body.left()) / self._width
        return min(max(share, 0.0), 1.0) * self.duration_s

    def row(self, sm: int) -> QRectF:
        """Where an SM's bars stand."""
        y = self.body.top() + (sm - self.first) * self.sm_height
        return QRectF(self.body.left(), y, self.body.width(), self.sm_height)

    @property
    def _width(self) -> float:
        return self.body.width() * 0.97


def time_ticks(longest_s: float, most: int) -> tuple[list[float], str, float]:
    """Round times from 0 up to a duration, with their common unit and its seconds."""
    unit, scale = next(((u, s) for u, s in reversed(_UNITS) if longest_s >= 2 * s), _UNITS[0])
    rough = longest_s / scale / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    step = next((m * power for m in (1, 2, 5, 10) if m * power >= rough), power * 10)
    ticks = [n * step * scale for n in range(int(longest_s / scale / step + 1e-9) + 1)]
    return ticks, unit, scale
