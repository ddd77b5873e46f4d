# SPDX-License-Identifier: MIT
"""Puts the launch panel together and keeps its parts saying the same."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from threadloom.backends.source.launch_line import LaunchLineError, ParsedLaunch, parse_launch
from threadloom.model.dim3 import Dim3
from threadloom.presentation.launch.validation_message import validation_messages
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.workspace_edits import reset_launch
from threadloom.text import _
from threadloom.ui.panels.launch.dim_row import DimRow
from threadloom.ui.panels.launch.form import LABEL_WIDTH, FormRow
from threadloom.ui.panels.launch.launch_code import LaunchCode
from threadloom.ui.panels.launch.size_row import SizeRow
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import IconButton
from threadloom.ui.widgets.icon_label import IconLabel
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.section import SectionTitle
from threadloom.ui.widgets.segmented import Segmented
from threadloom.ui.widgets.switch import Switch

DTYPES = (("float16", "f16"), ("float32", "f32"), ("float64", "f64"), ("int32", "i32"))


class LaunchPanel(QWidget):
    """What is launched: sizes, type, block and grid, and the same as a line of code."""

    menu_requested = Signal()
    """The button with three dots was pressed."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self._size: SizeRow | None = None
        self._column = QVBoxLayout()
        self._column.setContentsMargins(16, 0, 16, 12)
        self._column.setSpacing(6)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._make_title())
        outer.addLayout(self._column)
        self._type = self._make_type()
        self.block = DimRow(appearance, _("Block"), "block")
        self.grid = DimRow(appearance, _("Grid"), "grid")
        self.block.edited.connect(lambda block: store.change(block=block))
        self.grid.edited.connect(lambda grid: store.change(grid=grid))
        self.code = LaunchCode(appearance)
        self.code.launched.connect(self._on_launch_typed)
        self._code_fault = Label(appearance, "", Role.CAPTION, "error", wrap=True)
        self._code_fault.hide()
        self.code.faulty.connect(self._on_code_faulty)
        for row in (self._type_row, self.block, self.grid, self._make_follow_row()):
            self._column.addWidget(row)
        self._column.addSpacing(4)
        self._column.addWidget(self.code)
        self._column.addWidget(self._code_fault)
        for pasted in (self.block.launch_pasted, self.grid.launch_pasted):
            pasted.connect(self._on_launch_pasted)
        store.launch_preview_changed.connect(self._on_launch_preview_changed)
        if store.launch_preview is not None:
            self._on_launch_preview_changed(store.launch_preview)

    @property
    def sizes(self) -> SizeRow | None:
        """The row of sizes, which is another one for each operation."""
        return self._size

    @property
    def code_fault(self) -> str:
        """What is wrong with the code, or with a launch that was pasted."""
        return self._code_fault.text()

    def field(self, control: str) -> QWidget | None:
        """The field of a control such as ``block.x``, to give it the keyboard."""
        found: QWidget | None = self.findChild(QWidget, control)
        return found

    def _make_title(self) -> QWidget:
        title = SectionTitle(self._appearance, _("Launch"))
        title.setContentsMargins(16, 0, 8, 0)
        reset = IconButton(self._appearance, "reset", _("Reset launch"))
        reset.clicked.connect(self._on_reset)
        self.more = more = IconButton(self._appearance, "actions", _("More launch actions"))
        more.clicked.connect(self.menu_requested)
        title.add_at_end(reset)
        title.add_at_end(more)
        return title

    def _make_type(self) -> Segmented:
        self._type_row = FormRow(self._appearance, _("Type"))
        made = Segmented(self._appearance, DTYPES, _("Type"), stretch=True)
        made.chosen.connect(lambda dtype: self._store.change(dtype=dtype))
        self._type_row.put(made)
        return made

    def _make_follow_row(self) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(self._appearance.scaled(LABEL_WIDTH) + 8, 0, 0, 0)
        line.setSpacing(8)
        self.follow = Switch(self._appearance, _("Grid follows size"))
        self.follow.clicked.connect(self._on_follow_clicked)
        self._lock = IconLabel(self._appearance, "lock", "text-2")
        text = Label(self._appearance, _("Grid follows size"), Role.BODY, "text-2")
        for widget in (self.follow, self._lock, text):
            line.addWidget(widget)
        line.addStretch(1)
        return row

    def _on_launch_preview_changed(self, launch_preview: LaunchPreview) -> None:
        workspace = launch_preview.workspace
        self._show_sizes(launch_preview)
        for key, _text in DTYPES:
            usable = key in launch_preview.operation.dtypes
            tip = "" if usable else _("This operation does not support this type.")
            self._type.set_choice_enabled(key, usable, tip)
        self._type.set_value(workspace.dtype)
        self.block.show_value(workspace.block)
        self.grid.show_value(launch_preview.launch.grid)
        self.grid.set_read_only(workspace.grid_follows_size)
        self.follow.setChecked(workspace.grid_follows_size)
        self._lock.show_icon("lock" if workspace.grid_follows_size else "unlock")
        self._show_code(launch_preview)
        self._show_complaints(launch_preview)

    def _show_sizes(self, launch_preview: LaunchPreview) -> None:
        if self._size is None or self._size.operation_name != launch_preview.operation.name:
            if self._size is not None:
                self._column.removeWidget(self._size)
                self._size.setParent(None)
                self._size.deleteLater()
            self._size = SizeRow(self._appearance, launch_preview.operation, self)
            self._size.edited.connect(lambda sizes: self._store.change(sizes=sizes))
            self._size.launch_pasted.connect(self._on_launch_pasted)
            self._column.insertWidget(0, self._size)
            self._order_tabs(self._size)
        self._size.show_value(launch_preview.workspace.sizes)

    def _order_tabs(self, size: SizeRow) -> None:
        """Tab goes through the panel as it reads, although the sizes were made last."""
        chain = [self.more, *size.fields.values(), size.slider, *self._type.buttons()]
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)

    def _show_code(self, launch_preview: LaunchPreview) -> None:
        kernel = launch_preview.signature
        if kernel is None:
            names = tuple(argument.name for argument in launch_preview.operation.arguments)
        else:
            names = tuple(parameter.name for parameter in kernel.parameters)
        entry = kernel.name if kernel is not None else launch_preview.variant.entry
        self.code.show_launch(entry, launch_preview.launch, names, launch_preview.workspace.sizes)

    def _show_complaints(self, launch_preview: LaunchPreview) -> None:
        found = validation_messages(launch_preview.findings)
        self.block.show_complaints(found)
        self.grid.show_complaints(found)
        if self._size is not None:
            self._size.show_complaints(found)
        self.code.show_faults(frozenset(found))

    def _on_follow_clicked(self, on: bool) -> None:
        launch_preview = self._store.launch_preview
        grid = (
            launch_preview.launch.grid if launch_preview is not None else self._store.workspace.grid
        )
        self._store.change(grid_follows_size=on, grid=grid)

    def _on_launch_typed(self, parsed: ParsedLaunch) -> None:
        """Take over a launch; a grid that the rule gives anyway goes on following the size."""
        launch_preview = self._store.launch_preview
        if launch_preview is None:
            return
        launch = parsed.launch
        changes: dict[str, object] = {"block": launch.block}
        if launch.grid != self._ruled_grid(launch_preview, launch.block):
            changes |= {"grid": launch.grid, "grid_follows_size": False}
        if parsed.shared_given or launch.shared_bytes != launch_preview.launch.shared_bytes:
            changes["shared_bytes"] = launch.shared_bytes if parsed.shared_given else None
        self._store.change(**changes)

    def _ruled_grid(self, launch_preview: LaunchPreview, block: Dim3) -> Dim3 | None:
        if not launch_preview.workspace.grid_follows_size or min(block) < 1:
            return None
        return launch_preview.variant.rule.grid(launch_preview.workspace.sizes, block)

    def _on_launch_pasted(self, text: str) -> None:
        parsed = parse_launch(text, self._store.workspace.sizes)
        if isinstance(parsed, LaunchLineError):
            self._on_code_faulty(_("Invalid pasted launch. {why}").format(why=parsed.message))
        else:
            self._on_code_faulty("")
            self._on_launch_typed(parsed)

    def _on_code_faulty(self, text: str) -> None:
        self._code_fault.setText(text)
        self._code_fault.setVisible(bool(text))

    def _on_reset(self) -> None:
        launch_preview = self._store.launch_preview
        if launch_preview is not None:
            self._store.set_workspace(
                reset_launch(
                    self._store.workspace, launch_preview.operation, launch_preview.variant
                )
            )
