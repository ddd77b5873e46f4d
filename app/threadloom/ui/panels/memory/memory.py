# SPDX-License-Identifier: MIT
"""The Memory tab: places that touch memory, and what the selected warp does at one of them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QVBoxLayout, QWidget

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import WARP_SIZE, ThreadId
from threadloom.model.provenance import Provenance
from threadloom.model.run import Run
from threadloom.model.run_change import Part, RunChange
from threadloom.model.trace import BlockTrace, Trace
from threadloom.presentation.access.warp_access import warp_access, warp_accesses
from threadloom.presentation.figures.block_text import block_words
from threadloom.text import _, count
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.memory import MemoryFigure
from threadloom.ui.panels.memory.site_list import SiteDelegate, SiteList
from threadloom.ui.panels.memory.warp_view import WarpView
from threadloom.ui.panels.tabs.pane import Header, Pane, provenance_marks
from threadloom.ui.panels.tabs.shown import Shown, shown_run
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import IconButton
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.section import Line

_LIST_WIDTH = 284


class MemoryPane(Pane):
    """Accesses on the left, lanes and memory on the right. All of it is counted in the emulator."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self.model = SiteList()
        self.list = QListView()
        self.view = WarpView(appearance)
        self._time = 0
        self._lay_out()
        selection = self.list.selectionModel()
        selection.currentChanged.connect(self._on_current_changed)
        self.view.lane_picked.connect(self._on_lane_picked)
        store.run_changed.connect(self._on_run_changed)
        store.selected_thread_changed.connect(lambda _selected_thread: self._show_access())
        store.stale_changed.connect(lambda _stale: self.refresh())
        self.refresh()

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(16, 6, 12, 6)
        head.addWidget(Label(self.appearance, _("Accesses"), Role.TITLE))
        head.addStretch(1)
        unit = Label(self.appearance, _("sectors or wavefronts"), Role.CAPTION, "text-3")
        head.addWidget(unit)
        left.addLayout(head)
        left.addWidget(self.list, 1)
        self.list.setModel(self.model)
        self.list.setItemDelegate(SiteDelegate(self.appearance, self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(_("Accesses"))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side = QWidget()
        side.setProperty("look", "canvas")
        side.setLayout(left)
        side.setFixedWidth(round(_LIST_WIDTH * self.appearance.text_scale))
        self.appearance.changed.connect(
            lambda: side.setFixedWidth(round(_LIST_WIDTH * self.appearance.text_scale))
        )
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.view, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(Line(upright=True))
        row.addLayout(right, 1)
        self._make_stepper()

    def _make_stepper(self) -> None:
        """Buttons for the times that a warp makes the same access, over the figure's corner."""
        self.stepper = QWidget(self.view)
        row = QHBoxLayout(self.stepper)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self._back = IconButton(self.appearance, "back", _("Previous execution"))
        self._on = IconButton(self.appearance, "step", _("Next execution"))
        self._times = Label(self.appearance, "", Role.BODY, "text-2")
        self._back.clicked.connect(lambda: self._step(-1))
        self._on.clicked.connect(lambda: self._step(1))
        for widget in (self._back, self._times, self._on):
            row.addWidget(widget)

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS, Part.TRACE):
            self.refresh()

    def refresh(self) -> None:
        """Show what the store holds."""
        shown = self._shown()
        result = shown.result if shown is not None else None
        trace = result.trace if result is not None else None
        self.model.show_sites(trace.sites if trace else (), result.source if result else "")
        if trace and trace.sites and not self.list.currentIndex().isValid():
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.list.selectionModel().setCurrentIndex(self.model.index(0), flag)
        self._show_access()

    def exported(self) -> Figure | None:
        """The access that is shown."""
        return replace(self.view.figure, clear_right=0.0) if self.view.figure else None

    def _shown(self) -> Shown | None:
        return shown_run(self.store, lambda result: result.trace is not None)

    def _show_access(self) -> None:
        shown, row = self._shown(), self.list.currentIndex().row()
        result = shown.result if shown is not None else None
        trace = result.trace if result is not None else None
        if shown is None or result is None or trace is None or trace.block is None or row < 0:
            self._show_nothing(trace)
            return
        site = self.model.numbers[row]
        warp, lane = self._warp(result, trace.block)
        times = warp_accesses(trace.block, trace.sites, site, warp)
        self._time = min(self._time, max(times - 1, 0))
        self._show_stepper(times)
        if not times:
            words = _("{warp} does not execute this line").format(
                warp=self._warp_words(result, warp)
            )
            self.view.show_figure(None, words)
        else:
            figure = MemoryFigure(
                warp_access(trace.block, trace.sites, site, warp, self._time),
                self._heading(result, warp, trace.sites[site].line),
                _code(result.source, trace.sites[site].line),
                lane,
                clear_right=140.0 if times > 1 else 0.0,
            )
            self.view.show_figure(figure, faded=shown.old)
        self._tell_header(figure=bool(times))

    def _warp(self, result: Run, block: BlockTrace) -> tuple[int, int | None]:
        """Warp to show, and the selected lane if its block is the one that was recorded."""
        selected_thread = self.store.selected_thread
        if selected_thread is None or selected_thread.thread.block != block.block:
            return 0, None
        return selected_thread.thread.warp_and_lane(result.launch)

    def _warp_words(self, result: Run, warp: int) -> str:
        kept = result.trace.block if result.trace else None
        block = kept.block if kept else Dim3(0, 0, 0)
        name = block_words(block, result.launch)
        return _("Warp {warp} of block {block}").format(warp=warp, block=name)

    def _heading(self, result: Run, warp: int, line: int) -> str:
        text = _("{warp}, line {line}")
        return text.format(warp=self._warp_words(result, warp), line=line)

    def _show_nothing(self, trace: Trace | None) -> None:
        if self.store.run is None:
            words = _("Press F5 to run")
        elif trace is None:
            words = _("This run was not observed")
        else:
            words = _("Point at a thread to see the accesses of its warp")
        self.view.show_figure(None, words)
        self._show_stepper(0)
        self._tell_header(figure=False)

    def _show_stepper(self, times: int) -> None:
        self.stepper.setVisible(times > 1)
        text = _("{n} of {times}").format(n=count(self._time + 1), times=count(times))
        self._times.setText(text)
        self._back.setEnabled(self._time > 0)
        self._on.setEnabled(self._time < times - 1)
        self.stepper.adjustSize()
        self.stepper.move(self.view.width() - self.stepper.width() - 12, 4)

    def resizeEvent(self, event: object) -> None:
        """Keep the buttons in their corner."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.stepper.move(self.view.width() - self.stepper.width() - 12, 4)

    def _step(self, times: int) -> None:
        self._time += times
        self._show_access()

    def _on_current_changed(self, _new: QModelIndex, _old: QModelIndex) -> None:
        self._time = 0
        self._show_access()

    def _on_lane_picked(self, lane: int) -> None:
        shown = self._shown()
        result = shown.result if shown is not None else None
        trace = result.trace if result is not None else None
        if result is None or trace is None or trace.block is None:
            return
        warp, _lane = self._warp(result, trace.block)
        place = warp * WARP_SIZE + lane
        if place < result.launch.threads_per_block:
            thread = ThreadId(trace.block.block, result.launch.block.at(place))
            self.store.select_thread(thread, pinned=True)

    def _tell_header(self, *, figure: bool) -> None:
        shown = self._shown()
        marks = provenance_marks({Provenance.EMULATED}) if shown is not None else ()
        caption = _("counted in the emulator from the same source") if shown is not None else ""
        old = shown.marks if shown is not None else ()
        self.show_header(Header((*marks, *old), caption, "memory" if figure else ""))


def _code(source: str, line: int) -> str:
    lines = source.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
