# SPDX-License-Identifier: MIT
"""A sweep over launches as a table: a row for each launch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QFont

from threadloom.model.provenance import Provenance
from threadloom.presentation.figures.launch_text import block_text, rank_text, samples_words
from threadloom.presentation.figures.percentile_range import percentile_range
from threadloom.presentation.provenance_text import provenance_words
from threadloom.services.bench.ranking import Rank, rank
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.text import N_, _, count, duration
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.panels.tabs.column_header import Index, alignment, header
from threadloom.ui.theme.theme import Appearance, Role

_FIRST = {Rank.FASTEST, Rank.LEAST}


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    text: Callable[[LaunchPoint, LaunchSweepFigure], str]
    numbers: bool = True


def _time(point: LaunchPoint, _figure: LaunchSweepFigure) -> str:
    if point.samples is None:
        return _("skipped") if point.skipped else "–"
    return duration(point.samples.median_s)


def _range(point: LaunchPoint, _figure: LaunchSweepFigure) -> str:
    if point.samples is None or len(point.samples.seconds) < 2:
        return ""
    low, high = percentile_range(point.samples)
    return _("{low} to {high}").format(low=duration(low), high=duration(high))


def _runs(point: LaunchPoint, _figure: LaunchSweepFigure) -> str:
    if point.samples is None or point.provenance is not Provenance.MEASURED:
        return ""
    return count(len(point.samples.seconds))


def _check(point: LaunchPoint, _figure: LaunchSweepFigure) -> str:
    words = {True: _("matches"), False: _("differs"), None: ""}
    return words[point.matches]


def _place(point: LaunchPoint, figure: LaunchSweepFigure) -> str:
    """In a word, for the column is narrow."""
    if rank(point, figure.points) is Rank.TIE:
        return _("tie")
    return rank_text(point, figure.points)


_COLUMNS = (
    _Column(N_("Launch"), lambda point, figure: figure.name_of(point), numbers=False),
    _Column(N_("Block"), lambda point, figure: block_text(point, 2 if figure.is_plane else 1)),
    _Column(
        N_("Grid"),
        lambda point, _figure: "" if point.launch is None else point.launch.grid.short(),
    ),
    _Column(
        N_("Warps per SM"),
        lambda point, _f: "" if point.warps_per_sm is None else count(point.warps_per_sm),
    ),
    _Column(N_("Time"), _time),
    _Column(N_("Range"), _range),
    _Column(N_("Runs"), _runs),
    _Column(
        N_("Source"),
        lambda p, _f: provenance_words(p.provenance) if p.samples is not None else "",
        numbers=False,
    ),
    _Column(N_("Rank"), _place, numbers=False),
    _Column(N_("Check"), _check, numbers=False),
    _Column(N_("Device"), lambda point, _figure: point.device, numbers=False),
)

RANK = next(number for number, column in enumerate(_COLUMNS) if column.title == "Rank")
"""Column that says which is the fastest."""


class LaunchTable(QAbstractTableModel):
    """Launches in the order of the sweep."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._figure: LaunchSweepFigure | None = None
        self._points: tuple[LaunchPoint, ...] = ()

    def show_figure(self, figure: LaunchSweepFigure | None) -> None:
        """Show the launches of this one."""
        self.beginResetModel()
        self._figure = figure
        self._points = figure.points if figure is not None else ()
        self.endResetModel()

    def point(self, row: int) -> LaunchPoint:
        """Launch of a row."""
        return self._points[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One row a launch."""
        return 0 if parent.isValid() else len(self._points)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """The columns above."""
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Titles of the columns."""
        return header(_COLUMNS[section], orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, side, color and weight of a cell."""
        point, column = self._points[index.row()], _COLUMNS[index.column()]
        if self._figure is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(point, self._figure)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return point.skipped or samples_words(point) or column.text(point, self._figure)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._appearance.color(self._tone(point))
        if role == Qt.ItemDataRole.FontRole and rank(point, self._points) in _FIRST:
            bold = self._appearance.font(Role.BODY)
            bold.setWeight(QFont.Weight.DemiBold)
            return bold
        return None

    def _tone(self, point: LaunchPoint) -> str:
        if point.matches is False:
            return "error"
        return "text" if point.samples is not None else "text-3"
