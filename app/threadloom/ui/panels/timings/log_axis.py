# SPDX-License-Identifier: MIT
"""The plot's axes: times in ns, µs, ms and s upwards, sizes to the right."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QRectF

from threadloom.presentation.figures.log_ticks import decades, size_text, size_ticks, time_text

_Ticks = list[tuple[float, list[float]]]


class _RoomyAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose first and last label may stand out over its ends."""

    def boundingRect(self) -> QRectF:
        """Room for half a label more on every side; pyqtgraph drops what does not fit in."""
        return QRectF(super().boundingRect().adjusted(-40, -12, 40, 12))


class TimeAxis(_RoomyAxis):
    """A logarithmic axis of seconds, labeled in the unit that fits each tick."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> _Ticks:  # noqa: N803
        """Logarithms of the ticks within a range of logarithms."""
        ticks = decades(10**minVal, 10**maxVal, max(2, int(size // 18)))
        return [(1.0, [math.log10(tick) for tick in ticks])]

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:
        """Texts of the ticks."""
        return [time_text(10**value) for value in values]


class SizeAxis(_RoomyAxis):
    """A logarithmic axis of sizes; it prefers the sizes that were timed."""

    sizes: Sequence[int] = ()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> _Ticks:  # noqa: N803
        """Logarithms of the ticks within a range of logarithms."""
        ticks = size_ticks(10**minVal, 10**maxVal, self.sizes, max(2, int(size // 50)))
        return [(1.0, [math.log10(tick) for tick in ticks])]

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:
        """Texts of the ticks."""
        return [size_text(10**value) for value in values]
