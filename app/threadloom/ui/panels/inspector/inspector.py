# SPDX-License-Identifier: MIT
"""The right panel, fed by the store."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from threadloom.model.finding import Verdict
from threadloom.model.launch import ThreadId
from threadloom.model.run_change import Part, RunChange
from threadloom.model.trace import Branch
from threadloom.presentation.inspector.reference_value import ReferenceCheck, References
from threadloom.presentation.inspector.refused_launch import driver_words
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.presentation.mapping.region import Selection
from threadloom.text import _
from threadloom.ui.mapping.model.current_model import CurrentModel
from threadloom.ui.panels.inspector.block_page import BlockPage
from threadloom.ui.panels.inspector.refused_page import RefusedPage
from threadloom.ui.panels.inspector.section import PADDING
from threadloom.ui.panels.inspector.selection_page import SelectionPage
from threadloom.ui.panels.inspector.source_page import SourcePage
from threadloom.ui.panels.inspector.thread_page import ThreadPage
from threadloom.ui.state.store import SelectedThread, Store, View
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button, IconButton
from threadloom.ui.widgets.chip import Chip
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.scroll_panel import ScrollPanel
from threadloom.ui.widgets.segmented import Segmented

WIDTH = 264


class Inspector(QWidget):
    """Tells about the selected thread or block, or why a launch was refused."""

    fix_requested = Signal(object)
    """Fix to apply and run; the store is told as well."""
    block_trace_requested = Signal(object)
    """Dim3 of a selected block whose accesses are not at hand."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self._current = CurrentModel(store)
        self._references = References()
        self._shows_block = False
        self._view: View | None = None
        self._selection: Selection | None = None
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(240)
        self.setMaximumWidth(360)
        self.setAccessibleName(_("About the selected thread"))
        self.thread_page = ThreadPage(appearance)
        self.block_page = BlockPage(appearance)
        self.refused_page = RefusedPage(appearance)
        self.source_page = SourcePage(appearance)
        self.selection_page = SelectionPage(appearance)
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self.pages = QStackedWidget()
        for page in (
            self.thread_page,
            self.block_page,
            self.refused_page,
            self.source_page,
            self.selection_page,
        ):
            scroll = ScrollPanel()
            scroll.column.addWidget(page)
            self.pages.addWidget(scroll)
        column.addWidget(self.pages, 1)
        column.addWidget(self._make_foot())

    def _make_head(self) -> QWidget:
        head = QWidget()
        scaled = self._appearance.scaled
        head.setFixedHeight(scaled(36))
        self._appearance.changed.connect(lambda: head.setFixedHeight(scaled(36)))
        row = QHBoxLayout(head)
        row.setContentsMargins(PADDING, 0, 8, 0)
        row.setSpacing(8)
        self.title = Label(self._appearance, "", Role.TITLE)
        choices = (("thread", _("Thread")), ("block", _("Block")))
        self.choice = Segmented(self._appearance, choices, _("Details of"))
        self.choice.set_value("thread")
        self.pinned = Chip(self._appearance, _("Pinned"), "pinned", "pin")
        self.close_button = IconButton(self._appearance, "close", _("Unpin (Esc)"))
        row.addWidget(self.title)
        row.addWidget(self.choice)
        row.addStretch(1)
        row.addWidget(self.pinned)
        row.addWidget(self.close_button)
        return head

    def _make_foot(self) -> QWidget:
        self.foot = QWidget()
        row = QHBoxLayout(self.foot)
        row.setContentsMargins(PADDING, 12, PADDING, 12)
        row.setSpacing(8)
        self.previous = Button(self._appearance, _("Previous thread"))
        self.next = Button(self._appearance, _("Next thread"))
        row.addWidget(self.previous, 1)
        row.addWidget(self.next, 1)
        return self.foot

    def _connect(self) -> None:
        store = self._store
        store.run_changed.connect(self._on_run_changed)
        store.launch_preview_changed.connect(lambda _preview: self._refresh())
        store.selected_thread_changed.connect(lambda _selected_thread: self._refresh())
        store.stale_changed.connect(lambda _stale: self._refresh())
        store.view_requested.connect(self.show_view)
        self.choice.chosen.connect(self._on_choice)
        self.close_button.clicked.connect(lambda: store.select_thread(None))
        self.previous.clicked.connect(lambda: self._move(-1))
        self.next.clicked.connect(lambda: self._move(1))
        self.refused_page.fix_requested.connect(self.fix_requested)
        self.fix_requested.connect(store.fix_requested)
        self.thread_page.line_clicked.connect(self._on_line_clicked)

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS, Part.TRACE):
            self._refresh()

    def _refresh(self) -> None:
        model = self._current.take()
        if model.phase is Phase.REFUSED and model.invalid_launch is not None:
            self._show_refused(model)
            return
        if self._selection is not None:
            self._show_head(_("Selection"), None)
            self.selection_page.show_selection(model, self._selection)
            self.pages.setCurrentIndex(4)
            return
        selected_thread = self._store.selected_thread
        if self._shows_source(pinned=bool(selected_thread and selected_thread.pinned)):
            self._show_source()
            return
        thread = (
            selected_thread.thread
            if selected_thread and model.holds(selected_thread.thread)
            else None
        )
        self._show_head(_("Launch") if thread is None else "", selected_thread if thread else None)
        if thread is None:
            hint = _("Point at a block, thread or element to see its details.")
            self.block_page.show_block(model, None, hint)
            self.pages.setCurrentIndex(1)
        elif self._shows_block:
            self.block_page.show_block(model, thread)
            self.pages.setCurrentIndex(1)
        else:
            self._show_thread(model, thread)

    def _show_thread(self, model: MappingModel, thread: ThreadId) -> None:
        if model.phase is Phase.RAN and model.trace_of(thread.block) is None:
            self.block_trace_requested.emit(thread.block)
        element = model.element_of_thread(thread)
        self.thread_page.show_thread(model, thread, element, self._verdict(model, element))
        self.pages.setCurrentIndex(0)

    def _show_refused(self, model: MappingModel) -> None:
        self._show_head(_("Invalid launch"), None)
        launch_preview = self._store.launch_preview
        entry = launch_preview.variant.entry if launch_preview is not None else ""
        if model.invalid_launch is not None:
            said = driver_words(self._store.run) if not self._store.stale else ""
            self.refused_page.show_invalid_launch(model, model.invalid_launch, entry, said)
        self.pages.setCurrentIndex(2)

    def show_selection(self, selection: Selection | None) -> None:
        """Tell of what is selected in the mapping, until that is let go."""
        self._selection = selection
        self._refresh()

    def _shows_source(self, *, pinned: bool) -> bool:
        """Beside the source, unless a thread is pinned that really ran through it."""
        return self._view is View.SOURCE and not (pinned and self._compiles())

    def _compiles(self) -> bool:
        store = self._store
        told = store.run.findings if store.run is not None and not store.stale else ()
        ahead = store.launch_preview.findings if store.launch_preview is not None else ()
        return not any(one.verdict == Verdict.COMPILE_ERROR for one in (*told, *ahead))

    def _show_source(self) -> None:
        self._show_head(_("Source"), None)
        if self._store.launch_preview is not None:
            self.source_page.show_preview(self._store.launch_preview)
        self.source_page.show_branches(self._branches())
        self.pages.setCurrentIndex(3)

    def _branches(self) -> Sequence[Branch]:
        """Of the last run, if what it ran is what is chosen."""
        result = self._store.run
        if result is None or result.trace is None or self._store.stale:
            return ()
        return result.trace.branches

    def _show_head(self, title: str, selected_thread: SelectedThread | None) -> None:
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.choice.setVisible(not title)
        self.pinned.setVisible(bool(selected_thread and selected_thread.pinned))
        self.close_button.setVisible(selected_thread is not None)
        self.foot.setVisible(selected_thread is not None and not self._shows_block)

    def _verdict(self, model: MappingModel, element: int | None) -> ReferenceCheck | None:
        result = self._current.result
        if result is None or element is None:
            return None
        operation = self._current.operation
        return self._references.verdict(result, operation, model.array, element)

    def _move(self, by: int) -> None:
        selected_thread, launch = self._store.selected_thread, self._current.model.launch
        if selected_thread is None:
            return
        index = selected_thread.thread.global_index(launch) + by
        if 0 <= index < launch.threads:
            self._store.select_thread(ThreadId.of_global(launch, index), pinned=True)

    def _on_choice(self, key: str) -> None:
        self._shows_block = key == "block"
        self._refresh()

    def show_view(self, view: View) -> None:
        """Beside the timeline of blocks tell about the block, beside the source about that."""
        self._view = view
        self._shows_block = view is View.TIMELINE
        self.choice.set_value("block" if self._shows_block else "thread")
        self._refresh()

    def _on_line_clicked(self, line: int) -> None:
        self._store.view_requested.emit(View.SOURCE)
        self._store.line_requested.emit(line)
