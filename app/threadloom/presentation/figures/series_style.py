# SPDX-License-Identifier: MIT
"""Color token, marker and short name of each series. None is told apart by color alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from threadloom.model.provenance import Provenance
from threadloom.model.timing.samples import Series, SeriesKey
from threadloom.text import N_, _


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """How one series looks."""

    tone: str
    """Token of its color."""
    marker: str
    """``circle``, ``square``, ``diamond`` or ``triangle``."""
    title: str
    """Short name, to be translated where it is shown."""


STYLES = {
    SeriesKey.TOTAL: SeriesStyle("s-total", "diamond", N_("GPU with transfers")),
    SeriesKey.KERNEL: SeriesStyle("s-kernel", "triangle", N_("GPU kernel only")),
    SeriesKey.NUMPY: SeriesStyle("s-numpy", "square", N_("NumPy")),
    SeriesKey.C_LOOP: SeriesStyle("s-c", "circle", N_("C loop, 1 thread")),
    SeriesKey.C_LOOP_THREADS: SeriesStyle("s-c", "diamond", N_("C loop, all threads")),
    SeriesKey.FRAMEWORK: SeriesStyle("text-3", "circle", N_("GPU framework")),
    SeriesKey.H2D: SeriesStyle("s-h2d", "square", N_("H2D copy")),
    SeriesKey.D2H: SeriesStyle("s-d2h", "square", N_("D2H copy")),
}
"""In the order in which they are shown."""


def ordered(series: Sequence[Series]) -> list[Series]:
    """In the order in which they are shown."""
    keys = list(STYLES)
    return sorted(series, key=lambda one: keys.index(one.key))


def short_names(series: Sequence[Series]) -> list[str]:
    """Short names; where two would be alike, or nothing ran on a GPU, the whole label."""
    keys = [one.key for one in series]
    return [_name(one, alone=keys.count(one.key) == 1) for one in series]


def _name(series: Series, *, alone: bool) -> str:
    gpu = series.key in {SeriesKey.KERNEL, SeriesKey.TOTAL}
    if not alone or (gpu and series.provenance is Provenance.EMULATED):
        return str(series.label)
    return _(STYLES[series.key].title)
