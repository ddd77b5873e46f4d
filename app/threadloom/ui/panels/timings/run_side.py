# SPDX-License-Identifier: MIT
"""What the last run took: bars, or the whole way, with what they were measured like."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from threadloom.model.operation import Operation
from threadloom.model.provenance import Engine
from threadloom.model.run_change import Part, RunChange
from threadloom.model.timing.samples import BASELINES, Timing
from threadloom.presentation.bench.breakdown_text import breakdown_steps, to_cuda_text
from threadloom.presentation.bench.measurement_details import (
    launch_details,
    run_details,
    sweep_details,
)
from threadloom.presentation.bench.problem_size import size_words
from threadloom.presentation.fact import Facts
from threadloom.text import _
from threadloom.ui.figures.bars import BarsFigure
from threadloom.ui.figures.breakdown import BreakdownFigure
from threadloom.ui.panels.tabs.shown import Shown, shown_run
from threadloom.ui.panels.timings.breakdown_view import BreakdownView
from threadloom.ui.panels.timings.details_card import DetailsCard
from threadloom.ui.panels.timings.last_run import LastRun
from threadloom.ui.state.store import Over, Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import IconButton
from threadloom.ui.widgets.label import ElidedLabel

if TYPE_CHECKING:
    from threadloom.ui.panels.timings.baselines_card import BaselinesCard


class RunSide(QWidget):
    """The run that is shown, under a head with three buttons."""

    breakdown_changed = Signal()
    """Bars or the whole way have come to the front."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.last_run, self.breakdown_view = LastRun(appearance), BreakdownView(appearance)
        self._title = ElidedLabel(appearance, "", Role.TITLE)
        self.breakdown = IconButton(appearance, "breakdown", _("End-to-end breakdown"))
        self.breakdown.setCheckable(True)
        self.baselines = IconButton(appearance, "baselines", _("Baselines"))
        self.details = IconButton(appearance, "note", _("Measurement details"))
        self.details_card = DetailsCard(appearance, self)
        self._lay_out()
        self.breakdown.toggled.connect(self._on_breakdown_toggled)
        self.details.clicked.connect(self._on_details_clicked)
        self.baselines.clicked.connect(self._on_baselines_clicked)
        store.baselines_changed.connect(lambda _chosen: self.refresh())
        for changed in (store.sweep_changed, store.launch_sweep_changed, store.over_changed):
            changed.connect(lambda _what: self._show_details_button())
        store.run_changed.connect(self._on_run_changed)

    @cached_property
    def baselines_card(self) -> BaselinesCard:
        """Made when it is asked for: the baselines' names take a while to find out."""
        from threadloom.ui.panels.timings.baselines_card import BaselinesCard

        card = BaselinesCard(self._appearance, self)
        card.chosen.connect(self._store.set_baselines)
        return card

    @property
    def shows_breakdown(self) -> bool:
        """Whether the whole way is in front."""
        return self.breakdown.isChecked()

    @property
    def breakdown_figure(self) -> BreakdownFigure | None:
        """The whole way of the shown run."""
        return self.breakdown_view.figure

    def run(self) -> Shown | None:
        """The run that is shown."""
        return shown_run(self._store, lambda result: bool(result.timings))

    def timings(self) -> tuple[Timing, ...]:
        """Times of the shown run: of baselines only those that are chosen."""
        run = self.run()
        found = run.result.timings if run is not None else ()
        return tuple(t for t in found if t.key not in BASELINES or t.key in self._store.baselines)

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.BREAKDOWN):
            self.refresh()

    def refresh(self) -> None:
        """Show what the store holds."""
        run = self.run()
        self._show_details_button()
        self._title.setText(self._heading(run) if run is not None else "")
        if run is None:
            self.last_run.show_figure(None, _nothing_words(self._store))
            self.breakdown_view.show_figure(None)
        else:
            self.last_run.show_figure(BarsFigure(self.timings(), "", faded=run.old))
            words = to_cuda_text(run.result)
            self.breakdown_view.show_figure(
                BreakdownFigure(breakdown_steps(run.result), words, faded=run.old)
            )
        self._stack.setCurrentWidget(
            self.breakdown_view if self.shows_breakdown and run is not None else self.last_run
        )
        self._ask_for_breakdown()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the way of a run that came while another tab was shown."""
        super().showEvent(event)
        self._ask_for_breakdown()

    def _ask_for_breakdown(self) -> None:
        """Have a run on a GPU timed step by step, once that is to be seen."""
        result = self._store.run
        if result is None or not self.shows_breakdown or not self.isVisible():
            return
        if result.engine is Engine.GPU and result.launched and result.breakdown is None:
            self._store.breakdown_requested.emit()

    def _heading(self, run: Shown) -> str:
        operation, result = self.operation, run.result
        words = _("Last run")
        if run.old:
            words = _("Run {number}").format(number=run.record.number)
        if operation is None or operation.name != result.job.operation:
            return words
        sizes = size_words(operation, result.job.sizes)
        return _("{run}, {sizes}").format(run=words, sizes=sizes)

    @property
    def operation(self) -> Operation | None:
        """The chosen operation, once it is known."""
        return (
            self._store.launch_preview.operation if self._store.launch_preview is not None else None
        )

    def _show_details_button(self) -> None:
        self.details.setEnabled(self.run() is not None or bool(self._sweep_facts()))

    def _facts(self) -> list[Facts]:
        run = self.run()
        return (run_details(run.result) if run is not None else []) + self._sweep_facts()

    def _sweep_facts(self) -> list[Facts]:
        """How the sweep that is shown was measured."""
        store = self._store
        if store.over is Over.SIZE:
            return sweep_details(store.sweep.series) if store.sweep is not None else []
        sweep = store.launch_sweeps.get(store.over)
        return launch_details(sweep.result.points) if sweep is not None else []

    def _lay_out(self) -> None:
        head = self._head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self._title, 1)
        for button in (self.breakdown, self.baselines, self.details):
            head.addWidget(button)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.last_run)
        self._stack.addWidget(self.breakdown_view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(self._stack, 1)
        self._appearance.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Have the title begin where the bars do, at any text size."""
        self._head.setContentsMargins(self._appearance.scaled(16), 4, 10, 0)

    def _on_breakdown_toggled(self, _on: bool) -> None:
        self.refresh()
        self.breakdown_changed.emit()

    def _on_details_clicked(self) -> None:
        self.details_card.show_facts(self._facts())
        _show_above(self.details_card, self.details)

    def _on_baselines_clicked(self) -> None:
        self.baselines_card.show_baselines(self._store.baselines)
        self.baselines_card.adjustSize()
        _show_above(self.baselines_card, self.baselines)


def _show_above(card: QWidget, button: QWidget) -> None:
    """Show a card at its button, over it, for the tabs lie at the foot of the window."""
    window = button.window()
    corner = button.mapTo(window, QPoint(0, 0))
    y = corner.y() - card.height() - 4
    if y < 0:
        y = min(corner.y() + button.height() + 4, max(0, window.height() - card.height() - 4))
    x = min(max(8, corner.x() - card.width() // 2), window.width() - card.width() - 8)
    card.move(window.mapToGlobal(QPoint(x, y)))
    card.show()


def _nothing_words(store: Store) -> str:
    if store.run is None:
        return _("Press F5 to run")
    return _("This run has no timings")
