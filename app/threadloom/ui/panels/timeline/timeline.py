# SPDX-License-Identifier: MIT
"""The SM timeline tab."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from threadloom.model.dim3 import Dim3
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.model.run_change import Part, RunChange
from threadloom.model.timeline import BlockTimeline
from threadloom.presentation.figures.block_text import block_words
from threadloom.presentation.figures.timeline_rows import TimelineRows
from threadloom.text import _, count, duration, ngettext, percent
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.timeline import TimelineFigure
from threadloom.ui.panels.tabs.pane import Header, Pane, provenance_marks
from threadloom.ui.panels.tabs.shown import Shown, shown_run
from threadloom.ui.panels.timeline.timeline_view import TimelineView
from threadloom.ui.state.store import SelectedThread, Store
from threadloom.ui.theme.theme import Appearance


class TimelinePane(Pane):
    """When and where each block ran, measured or modeled."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self.view = TimelineView(appearance)
        self._rows: TimelineRows | None = None
        self._shown: Shown | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.setFocusProxy(self.view)
        self.view.block_picked.connect(self._on_block_picked)
        self.view.time_picked.connect(store.set_playhead)
        store.run_changed.connect(self._on_run_changed)
        store.stale_changed.connect(lambda _stale: self.refresh())
        store.selected_thread_changed.connect(self._on_selected_thread_changed)
        store.playhead_changed.connect(lambda _seconds: self._show())
        self.refresh()

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.MEASUREMENT):
            self.refresh()

    def refresh(self) -> None:
        """Show what the store holds."""
        self._shown = shown_run(self.store, lambda result: result.timeline is not None)
        result = self._shown.result if self._shown is not None else None
        line = result.timeline if result is not None else None
        if line is None or result is None:
            self._rows = None
        elif self._rows is None or self._rows.timeline is not line:
            self._rows = TimelineRows(line, max(result.device.sm_count, int(line.sm.max()) + 1))
        self._show()
        self._tell_header(result)

    def exported(self) -> Figure | None:
        """The timeline from its first SM on, without the play head."""
        figure = self.view.figure
        return replace(figure, playhead_s=None, first_sm=0) if figure else None

    def _show(self) -> None:
        if self._rows is None:
            words = _("Press F5 to run") if self.store.run is None else _("No block ran")
            self.view.show_figure(None, words)
            return
        place = self._selected_place()
        figure = TimelineFigure(
            self._rows,
            playhead_s=self.store.playhead_s,
            selected=place,
            selected_name=self._selected_name() if place is not None else "",
        )
        self.view.show_figure(figure, faded=self._shown is not None and self._shown.old)

    def _selected_place(self) -> int | None:
        selected_thread, shown = self.store.selected_thread, self._shown
        if selected_thread is None or shown is None or self._rows is None:
            return None
        result = shown.result
        block, line = selected_thread.thread.block, self._rows.timeline
        inside = all(0 <= at < end for at, end in zip(block, result.launch.grid, strict=True))
        place = result.launch.grid.linear(block) // line.stride
        return place if inside and place < len(line.sm) else None

    def _selected_name(self) -> str:
        selected_thread, shown = self.store.selected_thread, self._shown
        if selected_thread is None or shown is None:
            return ""
        name = block_words(selected_thread.thread.block, shown.result.launch)
        return _("block {block}").format(block=name)

    def _on_selected_thread_changed(self, selected_thread: SelectedThread | None) -> None:
        self._show()
        place = self._selected_place()
        if selected_thread is not None and place is not None and self._rows is not None:
            self.view.reveal(int(self._rows.timeline.sm[place]))

    def _on_block_picked(self, place: int) -> None:
        if self._shown is None or self._rows is None:
            return
        block = self._shown.result.launch.grid.at(place * self._rows.timeline.stride)
        self.store.select_thread(ThreadId(block, Dim3(0, 0, 0)), pinned=True)

    def _tell_header(self, result: Run | None) -> None:
        if self._rows is None or result is None or self._shown is None:
            self.show_header(Header())
            return
        line = self._rows.timeline
        number = self._shown.record.number
        text = ngettext(
            "Run {number}, {blocks} block, {time}",
            "Run {number}, {blocks} blocks, {time}",
            line.blocks,
        )
        caption = text.format(
            number=number, blocks=count(line.blocks), time=duration(line.duration_s)
        )
        notes = [caption, *_recording_notes(line)]
        marks = (*provenance_marks({line.provenance}), *self._shown.marks)
        self.show_header(Header(marks, ", ".join(notes), "timeline"))


def _recording_notes(line: BlockTimeline) -> Iterator[str]:
    """What of a launch was recorded, and what recording costs."""
    if line.stride > 1:
        yield _("1 block of {stride} recorded").format(stride=count(line.stride))
    if line.slowed is not None:
        yield _("recording overhead {share}").format(share=percent(max(0.0, line.slowed), 2))
