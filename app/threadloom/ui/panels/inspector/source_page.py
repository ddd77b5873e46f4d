# SPDX-License-Identifier: MIT
"""The panel's page on the source: its kernel, what the arguments hold, who compiles it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from threadloom.model.trace import Branch
from threadloom.presentation.inspector.source_details import (
    argument_rows,
    branch_facts,
    compared_with,
    compiler_facts,
    kernel_facts,
)
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.text import N_, _
from threadloom.ui.panels.inspector.argument_table import ArgumentTable
from threadloom.ui.panels.inspector.section import Facts, Section, stack
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.key_cap import KeyCap
from threadloom.ui.widgets.label import Label

_KEYS = (
    (N_("Compile and run"), "F5"),
    (N_("Next diagnostic"), "F8"),
    (N_("Apply first fix"), "Alt+Enter"),
    (N_("Toggle comment"), "Ctrl+/"),
    (N_("Open .cu file"), "Ctrl+O"),
    (N_("Save .cu file"), "Ctrl+S"),
)


class SourcePage(QWidget):
    """Kernel, arguments, reference, compiler, branches and keys."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        stack(
            self,
            self._kernel(),
            self._arguments(),
            self._reference(),
            self._compiler(),
            self._branches(),
            self._keys(),
        )

    def show_preview(self, launch_preview: LaunchPreview) -> None:
        """Tell about the source that would be compiled."""
        self.kernel.show_facts(kernel_facts(launch_preview))
        rows = argument_rows(launch_preview)
        self.table.show_rows(rows)
        self._arguments_section.setVisible(bool(rows))
        self.reference.setText(compared_with(launch_preview.operation))
        self.compiler.show_facts(compiler_facts(launch_preview))

    def _kernel(self) -> QWidget:
        section = Section(self._appearance, _("Kernel"))
        self.kernel = Facts(self._appearance)
        section.rows.addWidget(self.kernel)
        return section

    def _arguments(self) -> QWidget:
        section = self._arguments_section = Section(self._appearance, _("Arguments"), padding=0)
        section.rows.setContentsMargins(0, 4, 0, 0)
        self.table = ArgumentTable(self._appearance)
        section.rows.addWidget(self.table)
        return section

    def _reference(self) -> QWidget:
        section = Section(self._appearance, _("Compare with NumPy"))
        self.reference = Label(self._appearance, "", Role.CODE, "text", wrap=True)
        box = QFrame()
        box.setProperty("look", "popup")
        row = QHBoxLayout(box)
        row.setContentsMargins(10, 6, 10, 6)
        row.addWidget(self.reference)
        section.rows.addWidget(box)
        return section

    def _compiler(self) -> QWidget:
        section = Section(self._appearance, _("Compiler"))
        self.compiler = Facts(self._appearance)
        section.rows.addWidget(self.compiler)
        return section

    def show_branches(self, branches: Sequence[Branch]) -> None:
        """Tell where lanes of a warp parted when the source, as it stands, was run."""
        self.branches.show_facts(branch_facts(branches))
        self._branches_section.setVisible(bool(branches))

    def _branches(self) -> QWidget:
        section = self._branches_section = Section(self._appearance, _("Divergent warps"))
        section.show_note(_("emulated"))
        self.branches = Facts(self._appearance)
        section.rows.addWidget(self.branches)
        section.hide()
        return section

    def _keys(self) -> QWidget:
        section = Section(self._appearance, _("Keys"))
        for words, key in _KEYS:
            row = QHBoxLayout()
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(Label(self._appearance, _(words), Role.BODY, "text-2"))
            row.addStretch(1)
            row.addWidget(KeyCap(self._appearance, key), 0, Qt.AlignmentFlag.AlignVCenter)
            section.rows.addLayout(row)
        return section
