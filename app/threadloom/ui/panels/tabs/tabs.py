# SPDX-License-Identifier: MIT
"""The tab bar with its header, and the pane that is shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from threadloom.presentation.export.page_size import PageSize
from threadloom.presentation.export.page_text import Extras
from threadloom.text import N_, _
from threadloom.ui.dialogs.export.offer import offers
from threadloom.ui.figures.figure import Figure
from threadloom.ui.figures.pages.image_files import image
from threadloom.ui.panels.memory.memory import MemoryPane
from threadloom.ui.panels.runs.runs import RunsPane
from threadloom.ui.panels.source.source import SourcePane
from threadloom.ui.panels.tabs.pane import Pane
from threadloom.ui.panels.timeline.timeline import TimelinePane
from threadloom.ui.panels.timings.timings import TimingsPane
from threadloom.ui.state.store import Store, View
from threadloom.ui.theme.theme import Appearance, Role, Theme
from threadloom.ui.widgets.button import IconButton
from threadloom.ui.widgets.chip import Chip
from threadloom.ui.widgets.label import ElidedLabel
from threadloom.ui.widgets.section import Line

_COPIED = PageSize(width_mm=160, height_mm=100, text_pt=9, dpi=200)
_MARKS = 3
"""Chips that the bar has room for."""


class Tabs(QWidget):
    """Timings, Memory, SM timeline, Source and Runs."""

    maximize_requested = Signal()
    """Give the tabs the whole center, or take it back."""
    view_changed = Signal(object)
    """View that has come to the front."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self.setProperty("look", "panel")
        self.panes: dict[View, Pane] = {}
        self._stack = QStackedWidget()
        self._bar = self._tab_bar()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._top())
        column.addWidget(Line())
        column.addWidget(self._stack, 1)
        store.view_requested.connect(self.show_view)
        store.line_requested.connect(lambda _line: self.show_view(View.SOURCE))
        store.maximized_changed.connect(self._on_maximized_changed)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()
        self._on_header_changed()

    @property
    def view(self) -> View:
        """The tab that is shown."""
        return ROWS[self._bar.currentIndex()].view

    def show_view(self, view: View) -> None:
        """Bring a tab forward."""
        self._bar.setCurrentIndex([row.view for row in ROWS].index(view))

    def exported(self, view: View) -> Figure | None:
        """The figure of a tab, for the export dialog."""
        return self.panes[view].exported()

    def copy_figure(self) -> None:
        """Put the figure that is shown on the clipboard as an image."""
        key = self.panes[self.view].header.figure
        found = [one for one in offers(self._store, self.exported) if one.key == key]
        if found:
            made = image(found[0].page(Extras()), _COPIED, Theme.load("light"))
            QGuiApplication.clipboard().setImage(made)

    def _tab_bar(self) -> QTabBar:
        bar = QTabBar()
        bar.setExpanding(False)
        bar.setDrawBase(False)
        bar.setUsesScrollButtons(False)
        bar.setElideMode(Qt.TextElideMode.ElideNone)
        bar.setAccessibleName(_("Views of the last run"))
        for row in ROWS:
            pane = row.pane(self._store, self._appearance)
            pane.header_changed.connect(self._on_header_changed)
            self.panes[row.view] = pane
            self._stack.addWidget(pane)
            bar.addTab(_(row.title))
        bar.currentChanged.connect(self._on_current_changed)
        return bar

    def _top(self) -> QWidget:
        top = QWidget()
        top.setProperty("look", "panel")
        scaled = self._appearance.scaled
        top.setFixedHeight(scaled(34))
        self._appearance.changed.connect(lambda: top.setFixedHeight(scaled(34)))
        row = QHBoxLayout(top)
        row.setContentsMargins(6, 0, 10, 0)
        row.setSpacing(8)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        self._chips = [Chip(self._appearance) for _number in range(_MARKS)]
        for chip in self._chips:
            row.addWidget(chip)
        self._caption = ElidedLabel(self._appearance, "", Role.BODY, "text-2")
        row.addWidget(self._caption)
        self._export = IconButton(self._appearance, "export", _("Export figure (Ctrl+E)"))
        self._export.clicked.connect(self._on_export_clicked)
        self._maximize = IconButton(self._appearance, "maximize", _("Maximize the tabs (Ctrl+M)"))
        self._maximize.clicked.connect(self.maximize_requested)
        row.addWidget(self._export)
        row.addWidget(self._maximize)
        return top

    def _on_current_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._on_header_changed()
        self.view_changed.emit(self.view)

    def _on_header_changed(self) -> None:
        header = self.panes[self.view].header
        for number, chip in enumerate(self._chips):
            mark = header.marks[number] if number < len(header.marks) else None
            chip.show_text(mark.text if mark else "", mark.kind if mark else "neutral")
        self._caption.setText(header.caption)
        self._caption.setVisible(bool(header.caption))
        self._export.setEnabled(bool(header.figure))

    def _on_export_clicked(self) -> None:
        self._store.export_requested.emit(self.panes[self.view].header.figure)

    def _on_maximized_changed(self, maximized: bool) -> None:
        if maximized:
            self._maximize.show_icon("restore", _("Restore the tabs (Ctrl+M)"))
        else:
            self._maximize.show_icon("maximize", _("Maximize the tabs (Ctrl+M)"))

    def _on_appearance_changed(self) -> None:
        self._bar.setFont(self._appearance.font(Role.BODY))
        self.update()


@dataclass(frozen=True, slots=True)
class Row:
    """One tab."""

    view: View
    title: str
    """To be translated where it is shown."""
    pane: type[Pane]


ROWS = (
    # In their order; another tab is another row.
    Row(View.TIMINGS, N_("Timings"), TimingsPane),
    Row(View.MEMORY, N_("Memory"), MemoryPane),
    Row(View.TIMELINE, N_("SM timeline"), TimelinePane),
    Row(View.SOURCE, N_("Source"), SourcePane),
    Row(View.RUNS, N_("Runs"), RunsPane),
)
