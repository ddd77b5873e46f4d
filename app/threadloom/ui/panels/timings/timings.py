# SPDX-License-Identifier: MIT
"""The Timings tab: bars of the last run beside the sweep; maximized, the sweep alone."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from threadloom.model.operation import Operation
from threadloom.model.provenance import Provenance
from threadloom.model.run_change import Part, RunChange
from threadloom.model.timing.samples import Timing
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _, ngettext
from threadloom.ui.figures.figure import Figure
from threadloom.ui.panels.tabs.pane import Header, Pane, provenance_marks
from threadloom.ui.panels.timings.run_side import RunSide
from threadloom.ui.panels.timings.sweep_side import FIGURES, SweepSide
from threadloom.ui.state.store import Over, Store
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.section import Line


class TimingsPane(Pane):
    """What the last run took, and times over sizes, blocks or variants."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self.run_side = RunSide(store, appearance)
        self.run_side.breakdown_changed.connect(self._on_breakdown_changed)
        self.sweep_side = SweepSide(store, appearance)
        self.sweep_side.shown.connect(self._tell_header)
        self._bars_line = Line(upright=True)
        self._behind = False
        """Whether runs have come since the plot was drawn."""
        self._lay_out()
        store.run_changed.connect(self._on_run_changed)
        store.sweep_changed.connect(lambda _sweep: self._show_sweep())
        store.launch_sweep_changed.connect(lambda _sweep: self._show_sweep())
        store.over_changed.connect(lambda _over: self._show_sweep())
        store.stale_changed.connect(lambda _stale: self._show_run())
        store.workspace_changed.connect(self._on_workspace_changed)
        store.launch_preview_changed.connect(lambda _preview: self._on_workspace_changed())
        store.maximized_changed.connect(lambda _maximized: self._show_sweep())
        self.refresh()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.run_side, 34)
        row.addWidget(self._bars_line)
        row.addWidget(self.sweep_side, 66)

    def refresh(self) -> None:
        """Show what the store holds."""
        self.run_side.refresh()
        self._show_sweep()

    @property
    def operation(self) -> Operation | None:
        """The chosen operation, once it is known."""
        return (
            self.store.launch_preview.operation if self.store.launch_preview is not None else None
        )

    def _show_sweep(self) -> None:
        self._arrange()
        self.sweep_side.refresh()
        self.sweep_side.show_places()

    def _arrange(self) -> None:
        shown = not self.store.maximized or self.run_side.shows_breakdown
        self.run_side.setVisible(shown)
        self._bars_line.setVisible(shown)

    def _tell_header(self) -> None:
        side, maximized = self.sweep_side, self.store.maximized
        run, timings = self.run_side.run(), self.run_side.timings()
        of_run = {timing.provenance for timing in timings}
        provenances = side.provenances if maximized and side.provenances else of_run
        if not maximized and side.is_whole:
            provenances = of_run | side.provenances
        figure = FIGURES[self.store.over] if side.is_whole else "timings" if timings else ""
        if (
            self.run_side.shows_breakdown
            and self.run_side.breakdown_figure is not None
            and not maximized
        ):
            figure = "breakdown"
        caption = run_words(run.record.number, timings) if run is not None else ""
        if maximized and side.is_whole:
            caption = side.words
        marks = run.marks if run is not None and not maximized else ()
        self.show_header(Header((*provenance_marks(provenances), *marks), caption, figure))

    def exported(self) -> Figure | None:
        """The whole way of the shown run, if there is one."""
        return self.run_side.breakdown_figure

    def _on_breakdown_changed(self) -> None:
        self._arrange()
        self._tell_header()

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.MEASUREMENT):
            self._show_run()

    def _show_run(self) -> None:
        self.run_side.refresh()
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
        if new is not None and old is not None:
            self._forget_settings(new, old)
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

    def _forget_settings(self, new: Workspace, old: Workspace) -> None:
        """Have usual sizes proposed for another operation, usual blocks for another kernel."""
        settings = self.sweep_side.area.settings
        if new.operation != old.operation:
            settings.forget(Over.SIZE)
        if (new.operation, new.variant) != (old.operation, old.variant):
            settings.forget(Over.BLOCK)


def run_words(number: int, timings: tuple[Timing, ...]) -> str:
    """Such as "Run 14, warm, median of 20"; "of up to 20" where some were taken less often."""
    measured = [t for t in timings if t.provenance is Provenance.MEASURED]
    if not measured:
        return _("Run {number}").format(number=number)
    taken = {len(timing.samples.seconds) for timing in measured}
    runs = max(taken)
    cold = all(timing.samples.cold for timing in measured)
    warmth = _("cold") if cold else _("warm")
    text = ngettext("Run {number}, {warmth}, 1 run", "Run {number}, {warmth}, median of {n}", runs)
    if len(taken) > 1:
        text = _("Run {number}, {warmth}, median of up to {n}")
    return text.format(number=number, warmth=warmth, n=runs)
