# SPDX-License-Identifier: MIT
"""A sweep as a table: a row for each size, a column for each series, then the comparisons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QFont

from threadloom.model.timing.samples import BASELINES, Samples, Series, SeriesKey
from threadloom.presentation.bench.measurement_details import samples_words
from threadloom.presentation.bench.speedup_text import Outcome, verdict
from threadloom.presentation.bench.time_text import convergence_words, time_words
from threadloom.presentation.figures.curve import swept_sizes
from threadloom.presentation.figures.series_style import ordered, short_names
from threadloom.text import _, count, duration, factor
from threadloom.ui.panels.tabs.column_header import Index
from threadloom.ui.theme.theme import Appearance, Role

_ORDER = (*BASELINES, SeriesKey.TOTAL, SeriesKey.KERNEL)


class SweepTable(QAbstractTableModel):
    """Medians by size and series, and how many times faster than NumPy the GPU is."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._sizes: list[int] = []
        self._series: list[Series] = []
        self._names: list[str] = []
        self._times: list[dict[int, Samples]] = []
        self._compared: list[tuple[str, int]] = []
        self._numpy: int | None = None

    def show_series(self, series: Sequence[Series]) -> None:
        """Show these."""
        self.beginResetModel()
        self._sizes = swept_sizes(series)
        self._series = sorted(ordered(series), key=lambda one: _ORDER.index(one.key))
        self._names = short_names(self._series)
        self._times = [_by_size(one) for one in self._series]
        keys = [one.key for one in self._series]
        self._numpy = keys.index(SeriesKey.NUMPY) if SeriesKey.NUMPY in keys else None
        titles = {
            SeriesKey.TOTAL: _("Speedup with transfers"),
            SeriesKey.KERNEL: _("Speedup, kernel only"),
        }
        known = [(titles[key], keys.index(key)) for key in titles if key in keys]
        self._compared = known if self._numpy is not None else []
        self.endResetModel()

    def row_of(self, size: int) -> int | None:
        """Row of a size."""
        return self._sizes.index(size) if size in self._sizes else None

    def size_at(self, row: int) -> int:
        """Size of a row."""
        return self._sizes[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One row for each size."""
        return 0 if parent.isValid() else len(self._sizes)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Size, series, comparisons."""
        return 0 if parent.isValid() else 1 + len(self._series) + len(self._compared)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Titles of the columns; a series' full label is its tip."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        number = section - 1
        if role == Qt.ItemDataRole.ToolTipRole and 0 <= number < len(self._series):
            return self._series[number].label
        if role == Qt.ItemDataRole.DisplayRole:
            names = [_("n"), *self._names, *(title for title, _column in self._compared)]
            return names[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A time, or how many times faster, with its color."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        size, column = self._sizes[index.row()], index.column() - 1
        if column < 0:
            return count(size) if role == Qt.ItemDataRole.DisplayRole else None
        if column < len(self._series):
            return self._time(column, size, role)
        return self._comparison(self._compared[column - len(self._series)][1], size, role)

    def _time(self, column: int, size: int, role: int) -> object:
        samples = self._times[column].get(size)
        if role == Qt.ItemDataRole.DisplayRole:
            return time_words(samples) if samples is not None else self._missing(column, size)
        if role == Qt.ItemDataRole.ForegroundRole and samples is None:
            return self._appearance.color("text-3")
        if role == Qt.ItemDataRole.ToolTipRole and samples is not None:
            return "\n".join(_tip(samples))
        return None

    def _missing(self, column: int, size: int) -> str:
        known = {point.size for point in self._series[column].points}
        return _("skipped") if size in known else "–"

    def _comparison(self, column: int, size: int, role: int) -> object:
        numpy_times = self._times[self._numpy] if self._numpy is not None else {}
        mine, numpy = self._times[column].get(size), numpy_times.get(size)
        if mine is None or numpy is None:
            return "–" if role == Qt.ItemDataRole.DisplayRole else None
        found = verdict(mine, numpy)
        if role == Qt.ItemDataRole.DisplayRole:
            if found.outcome is Outcome.TIE:
                return _("no difference")
            return factor(numpy.median_s / mine.median_s)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._appearance.color(found.outcome.tone)
        if role == Qt.ItemDataRole.FontRole:
            bold = self._appearance.font(Role.BODY)
            bold.setWeight(QFont.Weight.DemiBold)
            return bold
        return None


def _tip(samples: Samples) -> list[str]:
    """Range, convergence, and the GPU's state meanwhile."""
    lines = [
        _("{low} to {high}").format(low=duration(samples.min_s), high=duration(samples.max_s)),
        _("samples: {words}").format(words=samples_words(samples)),
        convergence_words(samples),
    ]
    reasons = samples.gpu_states.throttling if samples.gpu_states is not None else ()
    if reasons:
        lines.append(_("throttled: {reasons}").format(reasons=", ".join(reasons)))
    return lines


def _by_size(series: Series) -> dict[int, Samples]:
    return {p.size: p.samples for p in series.points if p.samples is not None}
