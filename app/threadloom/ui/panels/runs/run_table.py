# SPDX-License-Identifier: MIT
"""The runs as a table, newest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from threadloom.model.finding import Verdict
from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.severity import Severity
from threadloom.model.timing.samples import SeriesKey
from threadloom.presentation.bench.run_comparison_text import timing_of
from threadloom.presentation.provenance_text import provenance_words
from threadloom.text import N_, _, count, duration, percent
from threadloom.ui.panels.tabs.column_header import Index, alignment, header
from threadloom.ui.state.store import RunRecord
from threadloom.ui.theme.icons import icon
from threadloom.ui.theme.theme import Appearance, Role


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell says."""

    text: str
    tone: str = "text"
    icon: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table."""

    title: str
    cell: Callable[[RunRecord, Operation | None], Cell]
    numbers: bool = False
    code: bool = False


def check_cell(record: RunRecord, _operation: Operation | None) -> Cell:
    """How the run came out, in one or two words."""
    result = record.run
    if not result.launched:
        compiled = any(f.verdict == Verdict.COMPILE_ERROR for f in result.findings) or any(
            d.severity is Severity.ERROR for d in result.diagnostics
        )
        tip = next((f.message for f in result.findings if f.stops_launch), "")
        return Cell(_("not compiled") if compiled else _("not launched"), "error", tip=str(tip))
    uncovered = _covered_share(result)
    if uncovered is not None and uncovered < 1:
        return Cell(_("{share} covered").format(share=percent(uncovered, 2)), "warn")
    if result.matches is None:
        return Cell(_("not compared"), "text-3")
    if result.matches:
        return Cell(_("matches"), icon="check")
    wrong = sum(comparison.mismatches for comparison in result.comparisons)
    return Cell(_("{n} differ").format(n=count(wrong)), "error")


def _covered_share(result: Run) -> float | None:
    if result.trace is None or not result.trace.coverage:
        return None
    coverages = list(result.trace.coverage.values())
    elements = sum(coverage.elements for coverage in coverages)
    written = sum(coverage.written for coverage in coverages)
    return written / elements if elements else None


def _time_cell(key: SeriesKey) -> Callable[[RunRecord, Operation | None], Cell]:
    def cell(record: RunRecord, _operation: Operation | None) -> Cell:
        timing = timing_of(record.run, key)
        if timing is None:
            return Cell(_("none"), "text-3")
        text = duration(timing.samples.median_s)
        words = provenance_words(timing.provenance)
        if timing.provenance is Provenance.MODELED:
            return Cell(text, "info", tip=words)
        return Cell(text, tip=words)

    return cell


def _source_cell(record: RunRecord, _operation: Operation | None) -> Cell:
    timing = timing_of(record.run, SeriesKey.KERNEL)
    return Cell(provenance_words(timing.provenance) if timing else "", "text-3")


def _operation_cell(record: RunRecord, operation: Operation | None) -> Cell:
    job = record.run.job
    if operation is None:
        return Cell(job.operation)
    titles = [v.title for v in operation.variants if v.name == job.variant]
    variant = _(titles[0]) if titles else job.variant
    text = _("{operation}, {variant}").format(operation=_(operation.title), variant=variant)
    return Cell(_("{name}, edited").format(name=text) if job.source is not None else text)


def launch_words(result: Run) -> str:
    """A launch as it stands in code: ``<<<3907, 256>>>``."""
    launch = result.launch
    parts = [
        str(dim.x) if dim.rank == 1 else f"({dim.short()})" for dim in (launch.grid, launch.block)
    ]
    if launch.shared_bytes:
        parts.append(str(launch.shared_bytes))
    return f"<<<{', '.join(parts)}>>>"


def _size_cell(record: RunRecord, operation: Operation | None) -> Cell:
    sizes = record.run.job.sizes
    names = [axis.name for axis in operation.axes] if operation is not None else list(sizes)
    return Cell(" × ".join(count(sizes[name]) for name in names if name in sizes))


def _status_row(record: RunRecord) -> bool:
    return not record.run.launched


COLUMNS = (
    Column(N_("Run"), lambda record, _operation: Cell(str(record.number), "text-2")),
    Column(N_("Operation"), _operation_cell),
    Column(N_("Launch"), lambda record, _operation: Cell(launch_words(record.run)), code=True),
    Column(N_("Size"), _size_cell, numbers=True),
    Column(N_("Kernel"), _time_cell(SeriesKey.KERNEL), numbers=True),
    Column(N_("With transfers"), _time_cell(SeriesKey.TOTAL), numbers=True),
    Column(N_("Source"), _source_cell),
    Column(N_("Check"), check_cell),
    Column(N_("Device"), lambda record, _operation: Cell(record.run.device.name, "text-2")),
)


class RunTable(QAbstractTableModel):
    """A row for each run, newest first."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._records: list[RunRecord] = []
        self._operations: Mapping[str, Operation] = {}

    def show_runs(self, records: Sequence[RunRecord], operations: Mapping[str, Operation]) -> None:
        """Show these. A single new run is put on top, so that what is selected stays so."""
        self._operations = operations
        newest_first = list(reversed(records))
        if len(newest_first) == len(self._records) + 1 and newest_first[1:] == self._records:
            self.beginInsertRows(QModelIndex(), 0, 0)
            self._records = newest_first
            self.endInsertRows()
        elif newest_first != self._records:
            self.beginResetModel()
            self._records = newest_first
            self.endResetModel()

    def record(self, row: int) -> RunRecord:
        """The run of a row."""
        return self._records[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One row a run."""
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """The columns above."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Titles of the columns."""
        return header(COLUMNS[section], orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, color, font and icon of a cell."""
        record, column = self._records[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column)
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._appearance.color("error-soft") if _status_row(record) else None
        if role == Qt.ItemDataRole.FontRole:
            return self._appearance.font(Role.CODE) if column.code else None
        cell = column.cell(record, self._operations.get(record.run.job.operation))
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._appearance.color(cell.tone)
        if role == Qt.ItemDataRole.DecorationRole and cell.icon:
            return icon(self._appearance, cell.icon, "ok")
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell.tip or None
        return None
