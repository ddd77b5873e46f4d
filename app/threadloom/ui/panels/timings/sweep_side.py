# SPDX-License-Identifier: MIT
"""The sweep with its plot; maximized, with key figures above and a table below."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.presentation.bench.key_figures import key_figures
from threadloom.presentation.bench.launch_sweep_text import caption
from threadloom.presentation.bench.launch_sweep_text import key_figures as launch_key_figures
from threadloom.presentation.bench.problem_size import at_size, problem_size
from threadloom.presentation.bench.session_series import live_series
from threadloom.presentation.figures.curve import Curve
from threadloom.presentation.figures.launch_marks import block_of
from threadloom.presentation.workspace_edits import choose_launch
from threadloom.services.bench.sizes import usual_sizes
from threadloom.services.messages.launch_sweep import LaunchPoint
from threadloom.services.messages.sweep import SweepProgress, SweepResult
from threadloom.text import _
from threadloom.ui.app.sweeping import resumable
from threadloom.ui.figures.launch_sweep import LaunchSweepFigure
from threadloom.ui.panels.tabs.key_figure_row import KeyFigureRow
from threadloom.ui.panels.tabs.table import ROW_HEIGHT, Table
from threadloom.ui.panels.timings.launch_table import RANK, LaunchTable
from threadloom.ui.panels.timings.launch_view import launch_figure, shown_sweep
from threadloom.ui.panels.timings.sweep_area import SweepArea, sweep_words
from threadloom.ui.panels.timings.sweep_table import SweepTable
from threadloom.ui.state.store import Over, Store
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.section import Line

_LEAST_ROWS = 3
_STRETCH = QHeaderView.ResizeMode.Stretch
FIGURES = {Over.SIZE: "sweep", Over.BLOCK: "blocks", Over.VARIANT: "variants"}
"""Key of the figure to export, by what a sweep goes over."""


class SweepSide(QWidget):
    """Shows the sweep of the chosen kind, and takes what is clicked into the knobs."""

    shown = Signal()
    """Another sweep, or more of it, is shown."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self.area = SweepArea(store, appearance)
        self.area.size_picked.connect(self._on_size_picked)
        self.area.launch_picked.connect(self._on_launch_picked)
        self.key_figures = KeyFigureRow(appearance)
        self.model, self.launch_model = SweepTable(appearance), LaunchTable(appearance)
        self.table = Table(appearance, _("Sweep by size"))
        self.table.setModel(self.model)
        for model in (self.model, self.launch_model):
            model.modelReset.connect(self._on_columns_changed)
        self.table.doubleClicked.connect(self._on_row_activated)
        self.curves: list[Curve] = []
        self.figure: LaunchSweepFigure | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.key_figures)
        column.addWidget(self.area, 1)
        self._table_line = Line()
        column.addWidget(self._table_line)
        column.addWidget(self.table)

    # What it shows ------------------------------------------------------------------------------

    @property
    def operation(self) -> Operation | None:
        """The chosen operation, once it is known."""
        return (
            self._store.launch_preview.operation if self._store.launch_preview is not None else None
        )

    @property
    def sweep(self) -> SweepProgress | SweepResult | None:
        """The sweep over sizes, while it is one of the chosen kernel."""
        sweep, workspace = self._store.sweep, self._store.workspace
        if self._store.over is not Over.SIZE:
            return None
        if isinstance(sweep, SweepResult):
            job = sweep.job
            chosen = (workspace.operation, workspace.variant, workspace.dtype)
            return sweep if (job.operation, job.variant, job.dtype) == chosen else None
        return sweep

    @property
    def is_whole(self) -> bool:
        """Whether there is a sweep, complete or stopped, that can be exported."""
        if self._store.over is Over.SIZE:
            return isinstance(self.sweep, SweepResult)
        return self.figure is not None and bool(self.figure.points)

    @property
    def provenances(self) -> set[Provenance]:
        """Where what is shown comes from."""
        if self._store.over is Over.SIZE:
            return {curve.provenance for curve in self.curves}
        points = self.figure.points if self.figure is not None else ()
        return {point.provenance for point in points if point.samples is not None}

    @property
    def words(self) -> str:
        """How many points there are, and of how many runs."""
        sweep = self.sweep
        if isinstance(sweep, SweepResult):
            return sweep_words(sweep)
        return self._launch_words() if self._store.over is not Over.SIZE else ""

    def refresh(self) -> None:
        """Show what the store holds."""
        if self._store.over is Over.SIZE:
            self._show_sizes()
        else:
            self._show_launches()
        self._show_resumable()
        self.arrange()
        self.shown.emit()

    def _show_sizes(self) -> None:
        self.figure = None
        self._take_model(self.model, _("Sweep by size"))
        sweep, operation = self.sweep, self.operation
        axis = axis_words(operation) if operation is not None else _("size")
        if sweep is not None:
            self.curves = self.area.show_sweep(sweep, axis)
            self.model.show_series(sweep.series)
            return
        result = self._store.run
        series = (
            live_series((record.run for record in self._store.runs), result, operation)
            if result is not None and operation is not None and _same(result, operation)
            else ()
        )
        runs = max((len(one.points) for one in series), default=0)
        self.curves = self.area.show_live(series, axis, runs)
        self.model.show_series(series if self._store.maximized else ())

    def _show_launches(self) -> None:
        self.curves = []
        self._take_model(self.launch_model, _("Sweep by launch"))
        operation = self.operation
        sweep = shown_sweep(self._store, operation)
        if sweep is None or operation is None:
            self.figure = None
        else:
            self.figure = launch_figure(self._store, sweep, operation)
        self.area.show_launches(self.figure, self._launch_words())
        self.launch_model.show_figure(self.figure)

    def _launch_words(self) -> str:
        operation = self.operation
        sweep = shown_sweep(self._store, operation)
        if sweep is None or operation is None or self.figure is None:
            return ""
        return caption(
            sweep.result,
            len(sweep.choices),
            operation,
            running=sweep.running,
            faded=self.figure.faded,
        )

    def _take_model(self, model: SweepTable | LaunchTable, name: str) -> None:
        if self.table.model() is not model:
            self.table.setModel(model)
            self.table.setAccessibleName(name)

    def _show_resumable(self) -> None:
        operation = self.operation
        self.area.show_resumable(operation is not None and resumable(self._store, operation))

    def show_places(self) -> None:
        """Point at what is chosen in plot, table and key figures."""
        operation, workspace = self.operation, self._store.workspace
        if operation is None or operation.name != workspace.operation:
            self.area.plot.set_cursor(None)
            return
        self._propose(operation)
        if self._store.over is not Over.SIZE:
            self._show_launches()
            self._show_launch_figures(operation)
            self._show_resumable()
            return
        size = problem_size(operation, operation.sizes(workspace.sizes))
        # one below 1 is refused, and without a place on a logarithmic axis
        self.area.plot.set_cursor(float(size) if size >= 1 else None)
        if size >= 1:
            self._show_size(operation, size)
        self._show_resumable()

    def _propose(self, operation: Operation) -> None:
        usual = usual_sizes(operation)
        line = sum(axis.set_by_bare_size for axis in operation.axes) == 1
        settings = self.area.settings
        settings.propose(usual[0], usual[-1], 10 if line else 2, self._store.sweep_choices)
        launch_preview = self._store.launch_preview
        if launch_preview is not None:
            block = launch_preview.variant.rule.block(operation.sizes(self._store.workspace.sizes))
            settings.propose_blocks(plane=block.y != 1)

    def _show_size(self, operation: Operation, size: int) -> None:
        sizes = [self.model.size_at(row) for row in range(self.model.rowCount())]
        nearest = min(sizes, key=lambda one: abs(one / size - size / one), default=size)
        if (row := self.model.row_of(nearest)) is not None:
            self.table.selectRow(row)
        sweep, launch_preview = self.sweep, self._store.launch_preview
        if isinstance(sweep, SweepResult) and launch_preview is not None:
            figures = key_figures(sweep, operation, launch_preview.device, nearest)
            self.key_figures.show_figures(figures)

    def _show_launch_figures(self, operation: Operation) -> None:
        launch_preview = self._store.launch_preview
        if self.figure is not None and launch_preview is not None:
            figures = launch_key_figures(self.figure, operation, launch_preview.device)
            self.key_figures.show_figures(figures)

    # Room ---------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Show key figures and table where there is room for them."""
        maximized = self._store.maximized
        self.key_figures.setVisible(maximized and self.is_whole)
        shown = maximized and self.table.model().rowCount() > 0
        self.table.setVisible(shown)
        self._table_line.setVisible(shown)
        self._size_table()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the table two fifths of the height at most."""
        super().resizeEvent(event)
        self._size_table()

    def _size_table(self) -> None:
        row = self._appearance.scaled(ROW_HEIGHT)
        rows = min(
            self.table.model().rowCount() + 1, max(_LEAST_ROWS, self.height() * 2 // 5 // row)
        )
        self.table.setFixedHeight(rows * row + 2)

    def _on_columns_changed(self) -> None:
        """Give columns with long texts the width that these need."""
        header, model = self.table.horizontalHeader(), self.table.model()
        columns = model.columnCount()
        launches = model is self.launch_model
        for column in range(columns):
            wide = launches or column == 0 or column >= columns - 2
            mode = QHeaderView.ResizeMode.ResizeToContents if wide else _STRETCH
            header.setSectionResizeMode(column, mode)
        if launches and columns:
            for column in (0, RANK):
                header.setSectionResizeMode(column, _STRETCH)
        self.table.setColumnHidden(0, launches and self._store.over is Over.BLOCK)

    # What is clicked ----------------------------------------------------------------------------

    def _on_size_picked(self, size: int) -> None:
        operation = self.operation
        if operation is not None:
            self._store.change(sizes=at_size(operation, self._store.workspace.sizes, size))

    def _on_launch_picked(self, point: LaunchPoint) -> None:
        """Take a launch's variant and block into the knobs."""
        operation, workspace = self.operation, self._store.workspace
        if operation is None:
            return
        variant = operation.variant(point.choice.variant)
        block = block_of(point) or variant.rule.block(operation.sizes(workspace.sizes))
        self._store.set_workspace(choose_launch(workspace, operation, variant, block))

    def _on_row_activated(self, index: QModelIndex) -> None:
        if self._store.over is Over.SIZE:
            self._on_size_picked(self.model.size_at(index.row()))
        else:
            self._on_launch_picked(self.launch_model.point(index.row()))


def axis_words(operation: Operation) -> str:
    """What the plot's size axis counts, such as "n, elements"."""
    extents = [axis for axis in operation.axes if axis.set_by_bare_size]
    if len(extents) == 1:
        axis = extents[0]
        title = _(axis.title) if axis.title else ""
        return _("{name}, {title}").format(name=axis.name, title=title) if title else axis.name
    names = " = ".join(axis.name for axis in extents)
    return _("n, for {names}").format(names=names)


def _same(result: Run, operation: Operation) -> bool:
    return result.job.operation == operation.name
