# SPDX-License-Identifier: MIT
"""The window: puts the areas together and lets them be; they follow the store."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QSplitter,
    QSplitterHandle,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from threadloom.text import _
from threadloom.ui.mapping.view import MappingView
from threadloom.ui.panels.findings.findings_panel import FindingsPanel
from threadloom.ui.panels.launch.launch_panel import LaunchPanel
from threadloom.ui.panels.limits.limits_panel import LimitsPanel
from threadloom.ui.panels.tabs.tabs import Tabs
from threadloom.ui.shell.busy_line import BusyLine
from threadloom.ui.shell.focus_ring import FocusRing
from threadloom.ui.shell.folded_panel import USUAL_WIDTH, FoldedPanel
from threadloom.ui.shell.status_bar import StatusBar
from threadloom.ui.shell.toolbar.logo import logo_icon
from threadloom.ui.shell.toolbar.toolbar import Toolbar
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.scroll_panel import ScrollPanel
from threadloom.ui.widgets.section import Line

LEFT_LEAST, LEFT_USUAL, LEFT_MOST = 280, 304, 380
MAPPING_LEAST, TABS_LEAST, CENTER_LEAST = 240, 200, 480
NARROW, LOW = 1280, 780
"""Below these the right panel folds and the meters lose their captions."""


@dataclass(frozen=True, slots=True)
class Areas:
    """What the window is put together from."""

    toolbar: Toolbar
    launch: LaunchPanel
    limits: LimitsPanel
    findings: FindingsPanel
    mapping: MappingView
    tabs: Tabs
    inspector: QWidget
    welcome: QWidget
    status: StatusBar


class MainWindow(QMainWindow):
    """Toolbar on top, three columns, status line at the bottom."""

    closing = Signal()

    def __init__(self, store: Store, appearance: Appearance, areas: Areas) -> None:
        super().__init__()
        self._store, self.areas, self._appearance = store, areas, appearance
        self.arranged = False
        """Whether the columns have their widths: the usual ones, or those of the last time."""
        self.setWindowTitle("Threadloom")
        self.setWindowIcon(logo_icon(appearance))
        self.setMinimumSize(1120, 700)
        self.resize(1440, 900)
        self._make_left()
        self._make_center()
        self.right = FoldedPanel(appearance, areas.inspector)
        self._make_columns()
        self._lay_out(store, appearance)
        self.ring = FocusRing(self, appearance)
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()
        store.maximized_changed.connect(self._on_maximized_changed)
        self.right.folded_changed.connect(self._on_right_folded)

    @property
    def welcoming(self) -> bool:
        """Whether the welcome page is in front."""
        return self._center.currentWidget() is self.areas.welcome

    def show_welcome(self, welcome: bool) -> None:
        """Bring the welcome page to the front, or the run_controller."""
        self._center.setCurrentWidget(self.areas.welcome if welcome else self.rows)
        self.right.setVisible(not welcome and not self._store.maximized)

    def next_area(self, step: int = 1) -> None:
        """Move the keyboard to the next area, from the last one to the first."""
        areas = [a for a in self._focus_areas() if a.isVisible() and _first_focusable(a)]
        holder: QWidget | None = self.focusWidget()
        held = [i for i, area in enumerate(areas) if holder and area.isAncestorOf(holder)]
        at = held[0] if held else (-1 if step > 0 else 0)
        target = _first_focusable(areas[(at + step) % len(areas)])
        if target is not None:
            self.ring.expect()
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tell the ring that the keyboard moves by Tab."""
        self.ring.expect()
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that nobody else wanted steer the mapping: play, step, follow."""
        if self.welcoming:
            super().keyPressEvent(event)
        else:
            self.areas.mapping.keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold what has no room."""
        super().resizeEvent(event)
        self._fold()

    def showEvent(self, event: QShowEvent) -> None:
        """Give the columns their usual widths, once the window has one itself."""
        super().showEvent(event)
        if not self.arranged:
            self.arranged = True
            for part in (self, self.centralWidget()):
                layout = part.layout() if part is not None else None
                if layout is not None:
                    layout.activate()
            self._share_columns(self._appearance.scaled(LEFT_USUAL), self.right.folded)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell that the window closes, so that its state is kept."""
        self.closing.emit()
        super().closeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A double-click on the splitter maximizes or restores the tabs."""
        if event.type() is QEvent.Type.MouseButtonDblClick and isinstance(watched, QSplitterHandle):
            self._store.set_maximized(not self._store.maximized)
            return True
        return super().eventFilter(watched, event)

    def _make_left(self) -> None:
        self.left = ScrollPanel()
        areas = self.areas
        for widget in (areas.launch, Line(), areas.limits, Line()):
            self.left.column.addWidget(widget)
        self.left.column.addWidget(areas.findings, 1)

    def _make_center(self) -> None:
        self.rows = QSplitter(Qt.Orientation.Vertical)
        self.rows.setHandleWidth(1)
        self.rows.setChildrenCollapsible(False)
        self.areas.mapping.setMinimumSize(CENTER_LEAST, MAPPING_LEAST)
        self.areas.tabs.setMinimumSize(CENTER_LEAST, TABS_LEAST)
        self.rows.addWidget(self.areas.mapping)
        self.rows.addWidget(self.areas.tabs)
        self.rows.setSizes([489, 337])
        self.rows.setStretchFactor(0, 3)
        self.rows.setStretchFactor(1, 2)
        self.rows.handle(1).installEventFilter(self)
        self._center = QStackedWidget()
        self._center.addWidget(self.rows)
        self._center.addWidget(self.areas.welcome)

    def _make_columns(self) -> None:
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setHandleWidth(1)
        self.columns.setChildrenCollapsible(False)
        for widget in (self.left, self._center, self.right):
            self.columns.addWidget(widget)
        self.columns.setStretchFactor(1, 1)

    def _lay_out(self, store: Store, appearance: Appearance) -> None:
        central = QWidget()
        central.setProperty("look", "window")
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.areas.toolbar)
        column.addWidget(Line())
        column.addWidget(self.columns, 1)
        column.addWidget(Line())
        column.addWidget(self.areas.status)
        self.setCentralWidget(central)
        self._busy = BusyLine(store, appearance, central)
        self._busy.setAccessibleName(_("Busy"))
        self._busy.setGeometry(0, 47, 4000, 2)

    def _focus_areas(self) -> list[QWidget]:
        areas = self.areas
        return [
            areas.toolbar,
            areas.launch,
            areas.findings,
            areas.mapping,
            areas.tabs,
            areas.inspector,
            areas.welcome,
        ]

    def _fold(self) -> None:
        """Fold what has no room at this size of window and text."""
        scaled = self._appearance.scaled
        self.right.set_narrow(self.width() < scaled(NARROW))
        self.areas.limits.set_short(self.height() < scaled(LOW))

    def _on_appearance_changed(self) -> None:
        scaled = self._appearance.scaled
        self.left.setMinimumWidth(scaled(LEFT_LEAST))
        self.left.setMaximumWidth(scaled(LEFT_MOST))
        self._fold()

    def _on_right_folded(self, folded: bool) -> None:
        """Give the center the room, or take it from there."""
        self._share_columns(self.columns.sizes()[0], folded)

    def _share_columns(self, left: int, folded: bool) -> None:
        least = self.right.minimumWidth()
        right = least if folded else max(least, self._appearance.scaled(USUAL_WIDTH))
        self.columns.setSizes([left, self.columns.width() - left - right - 2, right])

    def _on_maximized_changed(self, maximized: bool) -> None:
        self.areas.mapping.setVisible(not maximized)
        self.right.setVisible(not maximized and not self.welcoming)


def _first_focusable(area: QWidget) -> QWidget | None:
    """The first control of an area that Tab would reach."""
    tab = Qt.FocusPolicy.TabFocus
    if area.focusPolicy() & tab:
        return area
    children: list[QWidget] = area.findChildren(QWidget)
    usable = [c for c in children if c.focusPolicy() & tab and c.isVisible() and c.isEnabled()]
    return usable[0] if usable else None
