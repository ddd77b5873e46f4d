# SPDX-License-Identifier: MIT
"""The Runs tab: a table, and below it what two chosen runs come to."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from threadloom.model.operation import Operation
from threadloom.presentation.bench.run_comparison_text import comparison_words
from threadloom.presentation.restored_run import restored
from threadloom.services.bench.run_comparison import compare_runs
from threadloom.text import _, ngettext
from threadloom.ui.panels.runs.comparison_panel import ComparisonPanel
from threadloom.ui.panels.runs.run_table import COLUMNS, RunTable
from threadloom.ui.panels.tabs.pane import Header, Pane
from threadloom.ui.panels.tabs.table import Table
from threadloom.ui.state.store import RunRecord, Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.label import ElidedLabel, Label
from threadloom.ui.widgets.section import Line

_NARROW, _LOW = 860, 200
"""Below these the device is left to the tips, and a comparison to its sentence."""


class RunsPane(Pane):
    """Every run since the start. A double-click, or the button, goes back to one."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self._operations: dict[str, Operation] = {}
        self.model = RunTable(appearance)
        self.table = Table(appearance, _("Runs of this session"))
        self.table.setModel(self.model)
        self.table.doubleClicked.connect(self._on_double_clicked)
        self.table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.comparison = ComparisonPanel(appearance)
        self._compares = False
        self._words = ElidedLabel(appearance, "", Role.BODY, "text-2")
        self.restore = Button(appearance, _("Restore launch"), icon="reset")
        self.restore.clicked.connect(self._on_restore_clicked)
        self.copy = Button(appearance, _("Copy table"), icon="copy")
        self.copy.clicked.connect(self.table.copy)
        self._empty = Label(appearance, _("No runs yet. Press F5 to run."), Role.BODY, "text-3")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        store.runs_changed.connect(self._on_runs_changed)
        store.launch_preview_changed.connect(lambda _preview: self._note_operation())
        self._on_runs_changed()

    def selected(self) -> list[RunRecord]:
        """The selected runs, newest first."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.record(row) for row in rows]

    def _lay_out(self) -> None:
        header = self.table.horizontalHeader()
        for number, column in enumerate(COLUMNS):
            stretch = column.title in {"Operation", "Launch"}
            mode = QHeaderView.ResizeMode
            header.setSectionResizeMode(number, mode.Stretch if stretch else mode.ResizeToContents)
        self._comparison_line = Line()
        foot = QWidget()
        foot.setProperty("look", "panel")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        row.addWidget(self.restore)
        row.addWidget(self.copy)
        column_box = QVBoxLayout(self)
        column_box.setContentsMargins(0, 0, 0, 0)
        column_box.setSpacing(0)
        inset = QHBoxLayout()
        inset.setContentsMargins(0, 0, 0, 0)
        inset.addWidget(self.table)
        column_box.addLayout(inset, 1)
        column_box.addWidget(self._empty, 1)
        column_box.addWidget(self._comparison_line)
        column_box.addWidget(self.comparison)
        column_box.addWidget(Line())
        column_box.addWidget(foot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the device to the tips where the table is narrow."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW * self.appearance.text_scale
        self.table.setColumnHidden(len(COLUMNS) - 1, narrow)
        self._fit_comparison()

    def _note_operation(self) -> None:
        launch_preview = self.store.launch_preview
        if launch_preview is not None:
            self._operations[launch_preview.operation.name] = launch_preview.operation

    def _on_runs_changed(self) -> None:
        self._note_operation()
        self.model.show_runs(self.store.runs, self._operations)
        runs = len(self.store.runs)
        self.table.setVisible(runs > 0)
        self._empty.setVisible(runs == 0)
        self.copy.setEnabled(runs > 0)
        text = ngettext("{n} run in this session", "{n} runs in this session", runs).format(n=runs)
        self.show_header(Header(caption=text if runs else ""))
        self._on_selection_changed()

    def _show_comparison(self, chosen: list[RunRecord]) -> None:
        """Hold two chosen runs against each other, time by time."""
        compared = compare_runs(chosen[0].run, chosen[1].run) if len(chosen) == 2 else ()
        self._compares = bool(compared)
        if compared:
            self.comparison.show_runs(chosen[0].number, chosen[1].number, compared)
        self._fit_comparison()

    def _fit_comparison(self) -> None:
        """Leave the table more than half of the height; in a low tab the sentence must do."""
        shown = self._compares and self.height() >= self.appearance.scaled(_LOW)
        for widget in (self.comparison, self._comparison_line):
            widget.setVisible(shown)
        most = self.height() * 9 // 20
        self.comparison.setFixedHeight(min(self.comparison.wanted_height(), most))

    def _on_selection_changed(self, *_changed: object) -> None:
        chosen = self.selected()
        self._show_comparison(chosen)
        self.restore.setEnabled(len(chosen) == 1)
        if len(chosen) == 2:
            self._words.setText(comparison_words(chosen[0], chosen[1]))
        elif len(chosen) > 2:
            self._words.setText(_("Select two runs to compare them."))
        else:
            self._words.setText(
                _("Select two runs to compare them; double-click a run to restore it.")
                if self.store.runs
                else ""
            )

    def _on_double_clicked(self, index: QModelIndex) -> None:
        self._restore(self.model.record(index.row()))

    def _on_restore_clicked(self) -> None:
        self._restore(self.selected()[0])

    def _restore(self, record: RunRecord) -> None:
        self.store.set_workspace(restored(self.store.workspace, record.run))
