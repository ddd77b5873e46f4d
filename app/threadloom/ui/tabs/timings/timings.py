# SPDX-License-Identifier: MIT
"""The Timings tab: bars of the last run beside the sweep; maximised, the sweep alone."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.samples import Timing
from threadloom.services.workspace import Workspace
from threadloom.text import _, ngettext
from threadloom.ui.figures.bars import BarsFigure
from threadloom.ui.store import Over, Store
from threadloom.ui.tabs.pane import Header, Pane, provenance_marks
from threadloom.ui.tabs.shown import Shown, shown_run
from threadloom.ui.tabs.timings.last_run import LastRun
from threadloom.ui.tabs.timings.problem_size import size_words
from threadloom.ui.tabs.timings.sweep_side import FIGURES, SweepSide
from threadloom.ui.theme import Appearance
from threadloom.ui.widgets.section import Line


class TimingsPane(Pane):
    """What the last run took, and times over sizes, blocks or variants."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self.last_run = LastRun(appearance)
        self.sweep_side = SweepSide(store, appearance)
        self.sweep_side.shown.connect(self._tell_header)
        self._bars_line = Line(upright=True)
        self._behind = False
        """Whether runs have come since the plot was drawn."""
        self._lay_out()
        store.result_changed.connect(self._on_result_changed)
        store.sweep_changed.connect(lambda _sweep: self._show_sweep())
        store.launch_sweep_changed.connect(lambda _sweep: self._show_sweep())
        store.over_changed.connect(lambda _over: self._show_sweep())
        store.stale_changed.connect(self._on_result_changed)
        store.workspace_changed.connect(self._on_workspace_changed)
        store.forecast_changed.connect(lambda _forecast: self._on_workspace_changed())
        store.maximised_changed.connect(lambda _maximised: self._show_sweep())
        self.refresh()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.last_run, 34)
        row.addWidget(self._bars_line)
        row.addWidget(self.sweep_side, 66)

    def refresh(self) -> None:
        """Show what the store holds."""
        self._show_bars()
        self._show_sweep()

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
        self._arrange()
        self.sweep_side.refresh()
        self.sweep_side.show_places()

    def _arrange(self) -> None:
        maximised = self.store.maximised
        self.last_run.setVisible(not maximised)
        self._bars_line.setVisible(not maximised)

    def _tell_header(self) -> None:
        side, maximised = self.sweep_side, self.store.maximised
        run = self._shown()
        timings = run.result.timings if run is not None else ()
        provenances = {timing.provenance for timing in timings}
        if maximised or not provenances:
            provenances = side.provenances or provenances
        figure = FIGURES[self.store.over] if side.is_whole else "timings" if timings else ""
        caption = run_words(run.record.number, timings) if run is not None else ""
        if maximised and side.is_whole:
            caption = side.words
        marks = run.marks if run is not None and not maximised else ()
        self.show_header(Header((*provenance_marks(provenances), *marks), caption, figure))

    def _on_result_changed(self, _result: object) -> None:
        self._show_bars()
        if self.sweep_side.sweep is not None or self.store.over is not Over.SIZE:
            self._tell_header()
        elif self.isVisible():
            self._show_sweep()
        else:
            self._behind = True
            self._tell_header()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the runs that came while another tab was shown."""
        super().showEvent(event)
        if self._behind:
            self._behind = False
            self._show_sweep()

    def _on_workspace_changed(
        self, new: Workspace | None = None, old: Workspace | None = None
    ) -> None:
        if new is not None and old is not None and _other_kernel(new, old):
            self.sweep_side.area.settings.forget()
        workspace = self.store.workspace
        kernel = (
            workspace.operation,
            workspace.variant,
            workspace.dtype,
            self.operation is None,
        )
        if kernel != getattr(self, "_kernel", None):
            self._kernel = kernel
            self._show_sweep()
        else:
            self.sweep_side.show_places()


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


def _other_kernel(new: Workspace, old: Workspace) -> bool:
    return (new.operation, new.variant) != (old.operation, old.variant)


def _nothing_words(store: Store) -> str:
    if store.result is None:
        return _("Press F5 to run")
    return _("Nothing was timed in this run")
