# SPDX-License-Identifier: MIT
"""The Timings tab: bars of the last run beside the sweep; maximised, key figures and a table."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.samples import Timing
from threadloom.services.request import RunResult, SweepProgress, SweepResult
from threadloom.services.sizes import usual_sizes
from threadloom.services.workspace import Workspace
from threadloom.text import _, ngettext
from threadloom.ui.figures.bars import BarsFigure
from threadloom.ui.figures.curve import Curve
from threadloom.ui.store import Store
from threadloom.ui.tabs.key_figure_row import KeyFigureRow
from threadloom.ui.tabs.pane import Header, Pane, provenance_marks
from threadloom.ui.tabs.shown import Shown, shown_run
from threadloom.ui.tabs.table import ROW_HEIGHT, Table
from threadloom.ui.tabs.timings.key_figures import key_figures
from threadloom.ui.tabs.timings.last_run import LastRun
from threadloom.ui.tabs.timings.live import live_series
from threadloom.ui.tabs.timings.problem_size import at_size, problem_size, size_words
from threadloom.ui.tabs.timings.sweep_area import SweepArea, sweep_words
from threadloom.ui.tabs.timings.sweep_table import SweepTable
from threadloom.ui.theme import Appearance
from threadloom.ui.widgets.section import Line

_STRETCH = QHeaderView.ResizeMode.Stretch


class TimingsPane(Pane):
    """What the last run took, and times over sizes."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self.last_run = LastRun(appearance)
        self.sweep_area = SweepArea(store, appearance)
        self.sweep_area.size_picked.connect(self._on_size_picked)
        self.key_figures = KeyFigureRow(appearance)
        self.model = SweepTable(appearance)
        self.table = Table(appearance, _("Sweep by size"))
        self.table.setModel(self.model)
        self.model.modelReset.connect(self._on_columns_changed)
        self.table.doubleClicked.connect(self._on_row_activated)
        self._bars_line = Line(upright=True)
        self._curves: list[Curve] = []
        self._behind = False
        """Whether runs have come since the plot was drawn."""
        self._lay_out()
        store.result_changed.connect(self._on_result_changed)
        store.sweep_changed.connect(self._on_sweep_changed)
        store.stale_changed.connect(self._on_result_changed)
        store.workspace_changed.connect(self._on_workspace_changed)
        store.forecast_changed.connect(lambda _forecast: self._on_workspace_changed())
        store.maximised_changed.connect(self._on_maximised_changed)
        self.refresh()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.last_run, 34)
        row.addWidget(self._bars_line)
        row.addWidget(self.sweep_area, 66)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.key_figures)
        column.addLayout(row, 1)
        self._table_line = Line()
        column.addWidget(self._table_line)
        inset = QHBoxLayout()
        inset.setContentsMargins(0, 0, 0, 0)
        inset.addWidget(self.table)
        column.addLayout(inset)

    def refresh(self) -> None:
        """Show what the store holds."""
        self._show_bars()
        self._show_sweep()
        self._show_places()

    @property
    def operation(self) -> Operation | None:
        """The chosen operation, once it is known."""
        return self.store.forecast.operation if self.store.forecast is not None else None

    def _show_bars(self) -> None:
        shown = self._shown()
        if shown is None:
            self.last_run.show_figure(None, _nothing_words(self.store))
            return
        timings = shown.result.timings
        self.last_run.show_figure(BarsFigure(timings, self._heading(shown), faded=shown.old))

    def _shown(self) -> Shown | None:
        return shown_run(self.store, lambda result: bool(result.timings))

    def _heading(self, shown: Shown) -> str:
        operation, result = self.operation, shown.result
        run = _("Last run")
        if shown.old:
            run = _("Run {number}").format(number=shown.record.number)
        if operation is None or operation.name != result.job.operation:
            return run
        sizes = size_words(operation, result.job.sizes)
        return _("{run}, {sizes}").format(run=run, sizes=sizes)

    def _show_sweep(self) -> None:
        sweep, operation = self._current_sweep(), self.operation
        axis = axis_words(operation) if operation is not None else _("size")
        if sweep is not None:
            self._curves = self.sweep_area.show_sweep(sweep, axis)
            self.model.show_series(sweep.series)
        else:
            result = self.store.result
            known = operation is not None and result is not None
            series = (
                live_series(self.store.runs, result, operation)
                if result is not None and operation is not None and _same(result, operation)
                else ()
            )
            runs = max((len(one.points) for one in series), default=0) if known else 0
            self._curves = self.sweep_area.show_live(series, axis, runs)
            self.model.show_series(series if self.store.maximised else ())
        self._arrange()
        self._tell_header()

    def _current_sweep(self) -> SweepProgress | SweepResult | None:
        """The sweep, while it is one of the chosen kernel."""
        sweep, workspace = self.store.sweep, self.store.workspace
        if isinstance(sweep, SweepResult):
            job = sweep.job
            chosen = (workspace.operation, workspace.variant, workspace.dtype)
            return sweep if (job.operation, job.variant, job.dtype) == chosen else None
        return sweep

    def _show_places(self) -> None:
        """Point at the chosen size in plot, table and key figures."""
        operation, workspace = self.operation, self.store.workspace
        if operation is None or operation.name != workspace.operation:
            self.sweep_area.plot.set_cursor(None)
            return
        size = problem_size(operation, operation.sizes(workspace.sizes))
        if size < 1:  # refused, and without a place on a logarithmic axis
            self.sweep_area.plot.set_cursor(None)
            return
        self.sweep_area.plot.set_cursor(float(size))
        usual = usual_sizes(operation)
        line = sum(axis.set_by_bare_size for axis in operation.axes) == 1
        self.sweep_area.settings.propose(
            usual[0], usual[-1], 10 if line else 2, self.store.sweep_choices
        )
        nearest = self._nearest(size)
        if (row := self.model.row_of(nearest)) is not None:
            self.table.selectRow(row)
        sweep, forecast = self._current_sweep(), self.store.forecast
        if isinstance(sweep, SweepResult) and forecast is not None:
            figures = key_figures(sweep, operation, forecast.device, nearest)
            self.key_figures.show_figures(figures)

    def _nearest(self, size: int) -> int:
        sizes = [self.model.size_at(row) for row in range(self.model.rowCount())]
        return min(sizes, key=lambda one: abs(one / size - size / one), default=size)

    def _arrange(self) -> None:
        maximised = self.store.maximised
        swept = isinstance(self._current_sweep(), SweepResult)
        self.last_run.setVisible(not maximised)
        self._bars_line.setVisible(not maximised)
        self.key_figures.setVisible(maximised and swept)
        shown = maximised and self.model.rowCount() > 0
        self.table.setVisible(shown)
        self._table_line.setVisible(shown)
        self._size_table()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the table two fifths of the height at most."""
        super().resizeEvent(event)
        self._size_table()

    def _size_table(self) -> None:
        rows = min(self.model.rowCount() + 1, max(4, self.height() * 2 // 5 // ROW_HEIGHT))
        self.table.setFixedHeight(round(rows * ROW_HEIGHT * self.appearance.text_scale) + 2)

    def _tell_header(self) -> None:
        swept = isinstance(self._current_sweep(), SweepResult)
        run = self._shown()
        timings = run.result.timings if run is not None else ()
        shown = {timing.provenance for timing in timings}
        if self.store.maximised or not shown:
            shown = {curve.provenance for curve in self._curves} or shown
        figure = "sweep" if swept else "timings" if timings else ""
        sweep = self._current_sweep()
        if self.store.maximised and isinstance(sweep, SweepResult):
            caption = sweep_words(sweep)
        else:
            caption = run_words(run.record.number, timings) if run is not None else ""
        marks = run.marks if run is not None and not self.store.maximised else ()
        self.show_header(Header((*provenance_marks(shown), *marks), caption, figure))

    def _on_result_changed(self, _result: object) -> None:
        self._show_bars()
        if self._current_sweep() is not None:
            self._tell_header()
        elif self.isVisible():
            self._show_sweep()
            self._show_places()
        else:
            self._behind = True
            self._tell_header()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the runs that came while another tab was shown."""
        super().showEvent(event)
        if self._behind:
            self._behind = False
            self._show_sweep()
            self._show_places()

    def _on_sweep_changed(self, _sweep: object) -> None:
        self._show_sweep()
        self._show_places()

    def _on_workspace_changed(
        self, new: Workspace | None = None, old: Workspace | None = None
    ) -> None:
        if new is not None and old is not None and new.operation != old.operation:
            self.sweep_area.settings.forget()
        kernel = (
            self.store.workspace.operation,
            self.store.workspace.variant,
            self.store.workspace.dtype,
            self.operation is None,
        )
        if kernel != getattr(self, "_kernel", None):
            self._kernel = kernel
            self._show_sweep()
        self._show_places()

    def _on_maximised_changed(self, _maximised: bool) -> None:
        self._show_sweep()
        self._show_places()

    def _on_size_picked(self, size: int) -> None:
        operation = self.operation
        if operation is not None:
            self.store.change(sizes=at_size(operation, self.store.workspace.sizes, size))

    def _on_columns_changed(self) -> None:
        """Give the comparisons, which have long titles, the width that these need."""
        header, columns = self.table.horizontalHeader(), self.model.columnCount()
        for column in range(columns):
            wide = column >= columns - 2
            mode = QHeaderView.ResizeMode.ResizeToContents if wide else _STRETCH
            header.setSectionResizeMode(column, mode)

    def _on_row_activated(self, index: QModelIndex) -> None:
        self._on_size_picked(self.model.size_at(index.row()))


def axis_words(operation: Operation) -> str:
    """What the plot's size axis counts, such as "n, elements"."""
    extents = [axis for axis in operation.axes if axis.set_by_bare_size]
    if len(extents) == 1:
        axis = extents[0]
        title = _(axis.title) if axis.title else ""
        return _("{name}, {title}").format(name=axis.name, title=title) if title else axis.name
    names = " = ".join(axis.name for axis in extents)
    return _("n, for {names}").format(names=names)


def run_words(number: int, timings: tuple[Timing, ...]) -> str:
    """Such as "Run 14, warm, median of 20"."""
    measured = [t for t in timings if t.provenance is Provenance.MEASURED]
    if not measured:
        return _("Run {number}").format(number=number)
    runs = max(len(timing.samples.seconds) for timing in measured)
    cold = all(timing.samples.cold for timing in measured)
    warmth = _("cold") if cold else _("warm")
    text = ngettext("Run {number}, {warmth}, 1 run", "Run {number}, {warmth}, median of {n}", runs)
    return text.format(number=number, warmth=warmth, n=runs)


def _nothing_words(store: Store) -> str:
    if store.result is None:
        return _("Press F5 to run")
    return _("Nothing was timed in this run")


def _same(result: RunResult, operation: Operation) -> bool:
    return result.job.operation == operation.name
