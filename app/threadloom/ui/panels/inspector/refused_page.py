# SPDX-License-Identifier: MIT
"""The panel's page on a launch that was refused."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from threadloom.model.finding import Finding, Fix
from threadloom.presentation.inspector.refused_launch import (
    fixed,
    invalid_launch_of,
    launch_line,
    mended_facts,
)
from threadloom.presentation.mapping.mapping_model import MappingModel
from threadloom.text import _
from threadloom.ui.panels.inspector.section import Facts, Section, stack
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button, IconButton
from threadloom.ui.widgets.label import Label


class RefusedPage(QWidget):
    """Asked, allowed, why, CUDA's words, and the first fix."""

    fix_requested = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._fix: Fix | None = None
        stack(self, self._asked(), self._why(), self._said(), self._mended())

    def show_invalid_launch(
        self, model: MappingModel, finding: Finding, entry: str, said: str = ""
    ) -> None:
        """Tell why a launch was refused; ``said`` is what CUDA really said, if it was asked."""
        invalid_launch = invalid_launch_of(model, finding)
        self.facts.show_facts(list(invalid_launch.facts))
        self._reason.setText("\n\n".join(invalid_launch.reasons))
        title = _("CUDA error") if said else _("CUDA error (predicted)")
        self._said_section.title.setText(title)
        self.said.setText(said or invalid_launch.cuda_says)
        self._said_section.setVisible(bool(said or invalid_launch.cuda_says))
        self._fix = next((fix for fix in finding.fixes), None)
        self._mended_section.setVisible(self._fix is not None)
        if self._fix is None:
            return
        launch = fixed(model.launch, self._fix)
        changes_launch = any((self._fix.grid, self._fix.block, self._fix.shared_bytes))
        self.line.setText(launch_line(entry, launch) if changes_launch else str(self._fix.title))
        facts = mended_facts(model, launch) if changes_launch else []
        self.after.show_facts(facts)

    def _asked(self) -> QWidget:
        section = Section(self._appearance)
        self.facts = Facts(self._appearance)
        section.rows.addWidget(self.facts)
        return section

    def _why(self) -> QWidget:
        section = Section(self._appearance, _("Reason for the limit"))
        self._reason = Label(self._appearance, "", Role.BODY, "text-2", wrap=True)
        section.rows.addWidget(self._reason)
        return section

    def _said(self) -> QWidget:
        self._said_section = Section(self._appearance, _("CUDA error (predicted)"))
        self.said = Label(self._appearance, "", Role.CODE, "text-2", wrap=True)
        copy = IconButton(self._appearance, "copy", _("Copy error"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.said.text()))
        self._said_section.rows.addWidget(self._boxed(self.said, copy))
        return self._said_section

    def _mended(self) -> QWidget:
        self._mended_section = Section(self._appearance, _("After the fix"))
        self.line = Label(self._appearance, "", Role.CODE, "text", wrap=True)
        self.after = Facts(self._appearance)
        self.apply = Button(self._appearance, _("Apply and run"), "primary", height=30)
        self.apply.clicked.connect(self._on_apply)
        self._mended_section.rows.addWidget(self._boxed(self.line))
        self._mended_section.rows.addWidget(self.after)
        self._mended_section.rows.addSpacing(4)
        self._mended_section.rows.addWidget(self.apply)
        return self._mended_section

    def _boxed(self, label: QWidget, button: QWidget | None = None) -> QFrame:
        box = QFrame()
        box.setProperty("look", "popup")
        row = QHBoxLayout(box)
        row.setContentsMargins(10, 6, 4 if button else 10, 6)
        row.addWidget(label, 1)
        if button is not None:
            row.addWidget(button)
        return box

    def _on_apply(self) -> None:
        if self._fix is not None:
            self.fix_requested.emit(self._fix)
