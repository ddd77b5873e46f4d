# SPDX-License-Identifier: MIT
"""The mapping: title bar, formula, canvas and transport, fed by the store."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.model.run_change import Part, RunChange
from threadloom.presentation.mapping.formula import (
    computation,
    constants_of,
    expressions_of,
    formula,
)
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.mapping.modes import BlockColor, DataColor, Rank
from threadloom.presentation.mapping.region import Kind, Selection
from threadloom.presentation.mapping.steps import next_step
from threadloom.presentation.mapping.tooltips import selected_thread_text
from threadloom.text import _
from threadloom.ui.mapping.controls.formula_bar import FormulaBar
from threadloom.ui.mapping.controls.keys import Keys
from threadloom.ui.mapping.controls.playback import Playback
from threadloom.ui.mapping.controls.thread_selection import ThreadSelection
from threadloom.ui.mapping.controls.title_bar import TitleBar
from threadloom.ui.mapping.controls.transport import Transport, wave_ends
from threadloom.ui.mapping.model.current_model import CurrentModel
from threadloom.ui.mapping.panes.canvas import ZOOM_STEP, Canvas
from threadloom.ui.state.store import SelectedThread, Store
from threadloom.ui.theme.theme import Appearance

FADE_S = 0.12
_SHOWN_OR_HIDDEN = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)


class MappingView(QWidget):
    """Who computes what, when and where."""

    selection_changed = Signal(object)
    """Selection that was drawn, or None."""
    block_trace_requested = Signal(object)
    """Dim3 of a selected block whose accesses are not at hand."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self._current = CurrentModel(store)
        self._blocks_by, self._data_by = BlockColor.WAVE, DataColor.WHEN
        self._rank = Rank.ONE
        self._chosen_rank: tuple[str, Rank] | None = None
        self._shown_job: tuple[str, str] | None = None
        self.playback = Playback(self)
        self.title_bar = TitleBar(appearance)
        self.formula_bar = FormulaBar(appearance)
        self.canvas = Canvas(appearance)
        self.transport = Transport(appearance, self.playback)
        self._banner: QWidget | None = None
        self.selection = ThreadSelection(store, self._current, self.canvas)
        self._keys = self._make_keys()
        self._lay_out()
        self._connect()
        self.title_bar.show_modes(self._blocks_by, self._data_by)
        self._refresh()

    @property
    def model(self) -> MappingModel:
        """What is drawn."""
        return self._model

    @property
    def _model(self) -> MappingModel:
        return self._current.model

    def set_banner(self, banner: QWidget | None) -> None:
        """Let a banner take the formula bar's place whenever it is shown; None for no banner."""
        if self._banner is not None:
            self._banner.removeEventFilter(self)
            self._banner.setParent(None)
        self._banner = banner
        if banner is not None:
            self._column.insertWidget(1, banner)
            banner.installEventFilter(self)
        self._avoid_overlap()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Swap banner and formula bar when the banner shows or hides itself."""
        if watched is self._banner and event.type() in _SHOWN_OR_HIDDEN:
            self._avoid_overlap()
        return super().eventFilter(watched, event)

    def _avoid_overlap(self) -> None:
        self.formula_bar.setVisible(self._banner is None or self._banner.isHidden())

    def set_reduced_motion(self, calm: bool) -> None:
        """Step from wave to wave instead of moving; nothing starts by itself."""
        self.playback.calm = self.canvas.calm = calm

    def zoom(self, steps: int) -> None:
        """Show the data larger (1) or smaller (-1)."""
        self.canvas.zoom(ZOOM_STEP ** (2 * steps))

    def fit(self) -> None:
        """Show all blocks and elements."""
        self.canvas.fit()

    def step(self, by: int) -> None:
        """Go to the next (1) or last (-1) change, of the selected block or of any."""
        self.playback.pause()
        self.playback.move(next_step(self.canvas.drawing, by))

    def let_go(self) -> None:
        """Select no thread."""
        self._store.select_thread(None)
        self.canvas.select(None)

    def show_element(self, array: str, element: int) -> None:
        """Select an element that nobody may have written, at the end of the run."""
        if array != self._model.array or not 0 <= element < self._model.elements:
            return
        self._data_by = DataColor.TIMES
        self.title_bar.show_modes(self._blocks_by, self._data_by)
        self.canvas.show_modes(self._blocks_by, self._data_by, self._rank)
        self.playback.pause()
        self.playback.move(self.playback.duration_s)
        self._store.select_thread(None)
        self.canvas.select(Selection(Kind.ELEMENTS, np.array([element])))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of the mapping, as design and shortcut list name them."""
        action = self._keys.action(event)
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def hideEvent(self, _event: QHideEvent) -> None:
        """Nothing plays unseen."""
        self.playback.pause()

    def changeEvent(self, event: QEvent) -> None:
        """Nothing plays in a minimized window."""
        if event.type() is QEvent.Type.WindowStateChange and self.window().isMinimized():
            self.playback.pause()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title_bar)
        column.addWidget(self.formula_bar)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.transport)
        self._column = column

    def _connect(self) -> None:
        store, bar = self._store, self.title_bar
        store.run_changed.connect(self._on_run_changed)
        store.launch_preview_changed.connect(lambda _preview: self._refresh())
        store.stale_changed.connect(self._show_stale)
        store.selected_thread_changed.connect(self._on_selected_thread_changed)
        store.playhead_changed.connect(self._on_playhead_changed)
        bar.modes_chosen.connect(self._on_modes_chosen)
        bar.rank_chosen.connect(self._on_rank_chosen)
        bar.zoom_in_asked.connect(lambda: self.zoom(1))
        bar.zoom_out_asked.connect(lambda: self.zoom(-1))
        bar.fit_asked.connect(self.fit)
        self.canvas.selected.connect(self.selection_changed)
        self.canvas.tapped.connect(self.transport.toggle)
        self.transport.step_asked.connect(self.step)
        self.playback.position_changed.connect(store.set_playhead)

    def _make_keys(self) -> Keys:
        playback, transport = self.playback, self.transport
        plain = {
            Qt.Key.Key_Space: transport.toggle,
            Qt.Key.Key_Left: lambda: self.step(-1),
            Qt.Key.Key_Right: lambda: self.step(1),
            Qt.Key.Key_Home: lambda: playback.move(0.0),
            Qt.Key.Key_End: lambda: playback.move(playback.duration_s),
            Qt.Key.Key_BracketLeft: lambda: transport.change_speed(-1),
            Qt.Key.Key_BracketRight: lambda: transport.change_speed(1),
            Qt.Key.Key_Return: self.selection.pin,
            Qt.Key.Key_Enter: self.selection.pin,
            Qt.Key.Key_Escape: self.let_go,
        }
        shifted = {
            Qt.Key.Key_Left: lambda: playback.next_wave(-1),
            Qt.Key.Key_Right: lambda: playback.next_wave(1),
        }
        alternative = {
            Qt.Key.Key_Left: lambda: self.selection.move(-1, 0),
            Qt.Key.Key_Right: lambda: self.selection.move(1, 0),
            Qt.Key.Key_Up: lambda: self.selection.move(0, -1),
            Qt.Key.Key_Down: lambda: self.selection.move(0, 1),
        }
        return Keys(plain, shifted, alternative)

    # What is shown ---------------------------------------------------------------------------

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS):
            self._show_run(change.run)
        elif change.affects(Part.TRACE):
            self._refresh()

    def _show_run(self, result: Run | None) -> None:
        if result is None or not result.launched:
            self.playback.pause()
            self._shown_job = None
            self._refresh()
            return
        job = (result.job.operation, result.job.variant)
        again = job == self._shown_job
        share = (
            self.playback.position_s / self.playback.duration_s if self.playback.duration_s else 1
        )
        self._shown_job = job
        self._refresh()
        wrong = result.matches is False
        if wrong:
            self._show_wrong(result)
        self.playback.move(self.playback.duration_s * (1.0 if wrong else share if again else 0.0))
        if not again and not wrong and not self.playback.calm and self.isVisible():
            self.playback.play()

    def _refresh(self) -> None:
        """Take what the store knows."""
        store = self._store
        before = self._model
        if self._current.take() is before and self.canvas.drawing.model is before:
            self._show_stale(store.stale)
            return
        self._rank = self._fitting_rank()
        self.title_bar.show_rank(self._rank, self._most_axes())
        self.canvas.show_model(self._model, self._rank)
        self._show_stale(store.stale)
        self._show_transport()
        self._on_selected_thread_changed(store.selected_thread)

    def _show_transport(self) -> None:
        timeline = self._model.timeline
        if self._model.phase is Phase.RAN and timeline is not None and timeline.duration_s > 0:
            if timeline.duration_s != self.playback.duration_s:
                at = self.playback.position_s
                self.playback.load(timeline.duration_s, wave_ends(timeline), at)
            self.transport.show_timeline(timeline)
            return
        self.playback.pause()
        self.playback.load(0.0, (), 0.0)
        if self._model.phase is Phase.REFUSED:
            self.transport.show_nothing(_("Nothing to play"), _("Fix the launch to play it"))
        elif self._model.phase is Phase.RAN:
            self.transport.show_nothing(_("Nothing to play"), _("Block times are not available"))
        else:
            self.transport.show_nothing(_("Nothing to play"), _("Press F5 to run"))

    def _show_wrong(self, result: Run) -> None:
        """Turn to the first element that differs from NumPy."""
        self._data_by = DataColor.TIMES
        self.title_bar.show_modes(self._blocks_by, self._data_by)
        self.canvas.show_modes(self._blocks_by, self._data_by, self._rank)
        first = next((c.first for c in result.comparisons if c.array == self._model.array), None)
        owner = self._model.thread_of_element(first) if first is not None else None
        if owner is not None:
            self._store.select_thread(owner, pinned=True)

    def _show_stale(self, stale: bool) -> None:
        old = stale or self._current.outlived
        self.canvas.show_stale(old and self._model.phase is Phase.RAN)

    def _on_playhead_changed(self, seconds: float) -> None:
        if seconds != self.playback.position_s:
            self.playback.move(seconds)
        fade = (
            FADE_S * self.playback.speed if self.playback.playing and not self.playback.calm else 0
        )
        self.canvas.show_time(seconds, fade)

    def _on_modes_chosen(self, blocks_by: BlockColor, data_by: DataColor) -> None:
        self._blocks_by, self._data_by = blocks_by, data_by
        self.canvas.show_modes(blocks_by, data_by, self._rank)

    def _on_rank_chosen(self, rank: Rank) -> None:
        operation = self._store.workspace.operation
        self._rank, self._chosen_rank = rank, (operation, rank)
        self.canvas.show_modes(self._blocks_by, self._data_by, rank)

    def _most_axes(self) -> int:
        return min(3, max(1, self._model.launch.grid.rank, len(self._model.shape)))

    def _fitting_rank(self) -> Rank:
        most = self._most_axes()
        if self._chosen_rank and self._chosen_rank[0] == self._store.workspace.operation:
            return Rank(min(most, self._chosen_rank[1].value))
        return Rank(most)

    # The selected thread -------------------------------------------------------------------------

    def _on_selected_thread_changed(self, selected_thread: SelectedThread | None) -> None:
        thread = selected_thread.thread if selected_thread else None
        if thread is not None and not self._model.holds(thread):
            thread = None
        element = self.selection.element = self.selection.element_of(thread)
        self.canvas.show_selected_thread(thread, element)
        self._show_formula(thread, pinned=bool(selected_thread and selected_thread.pinned))
        words = selected_thread_text(self._model, thread, element) if thread else ""
        self.canvas.setAccessibleDescription(words)
        ran = self._model.phase is Phase.RAN
        if thread is not None and ran and self._model.trace_of(thread.block) is None:
            self.block_trace_requested.emit(thread.block)

    def _show_formula(self, thread: ThreadId | None, *, pinned: bool) -> None:
        source, entry = self._model.source, self._model.entry
        sizes = {**self._sizes(), **constants_of(source)}
        launch = self._model.launch
        shown = tuple(formula(one, launch, thread, sizes) for one in expressions_of(source, entry))
        self.formula_bar.show_formulas(shown, _("The kernel does not compute an index."))
        before, value, element = "", "", self.selection.element
        if thread is not None and element is not None:
            before, value = computation(self._model, thread, element)
        self.formula_bar.show_value(before, value)
        self.formula_bar.show_pinned(pinned and thread is not None)

    def _sizes(self) -> dict[str, int]:
        result = self._current.result
        ran = self._model.phase is Phase.RAN
        return dict(result.job.sizes if ran and result else self._store.workspace.sizes)
