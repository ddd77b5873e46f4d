# SPDX-License-Identifier: MIT
"""A table of figures that can be copied as tab-separated text."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from threadloom.text import _
from threadloom.ui.panels.tabs.cell_delegate import CellDelegate
from threadloom.ui.theme.theme import Appearance, Role

ROW_HEIGHT = 27


class Table(QTableView):
    """Rows of 27 px with lines between them; Ctrl+C copies the selected rows, or all."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setResizeContentsPrecision(0)  # only what is seen, or long tables are slow
        self.setItemDelegate(CellDelegate(appearance, self))
        self._add_copy()
        appearance.changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    def _add_copy(self) -> None:
        copy = QAction(_("Copy table"), self)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def copy(self) -> None:
        """Put the selected rows, or all, on the clipboard as tab-separated text with a head."""
        QGuiApplication.clipboard().setText(self.separated())

    def separated(self) -> str:
        """The selected rows, or all, as tab-separated text with a head."""
        model = self.model()
        chosen = sorted({index.row() for index in self.selectionModel().selectedRows()})
        rows = chosen if len(chosen) > 1 else range(model.rowCount())
        return tab_separated(model, list(rows))

    def _on_appearance_changed(self) -> None:
        scale = self._appearance.text_scale
        self.setFont(self._appearance.font(Role.BODY))
        self.horizontalHeader().setFont(self._appearance.font(Role.CAPTION))
        self.horizontalHeader().setFixedHeight(round(ROW_HEIGHT * scale))
        self.verticalHeader().setDefaultSectionSize(round(ROW_HEIGHT * scale))
        self.verticalHeader().setMinimumSectionSize(round(ROW_HEIGHT * scale))


def tab_separated(model: QAbstractItemModel, rows: list[int]) -> str:
    """Rows of a table model as text: tabs between cells, a line break after each row."""
    columns = range(model.columnCount())
    across = Qt.Orientation.Horizontal
    head = [
        str(model.headerData(column, across, Qt.ItemDataRole.DisplayRole)) for column in columns
    ]
    lines = [head]
    for row in rows:
        lines.append([str(model.index(row, column).data() or "") for column in columns])
    return "".join("\t".join(line) + "\n" for line in lines)
