# SPDX-License-Identifier: MIT
"""One finding: icon, message, detail and its buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from threadloom.model.finding import Finding, Fix
from threadloom.model.severity import Severity
from threadloom.presentation.findings_text import ICONS, TONES, severity_word
from threadloom.text import _
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.button import Button
from threadloom.ui.widgets.flow import FlowLayout
from threadloom.ui.widgets.icon_label import IconLabel
from threadloom.ui.widgets.label import Label


class FindingRow(QFrame):
    """A card for an error, a plain row for the rest."""

    fix_chosen = Signal(object)
    """Fix whose button was pressed."""
    show_chosen = Signal(object)
    """Finding whose place is to be shown."""

    def __init__(
        self,
        appearance: Appearance,
        finding: Finding,
        *,
        primary: bool,
        showable: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.finding = finding
        self._appearance = appearance
        self._card = finding.severity is Severity.ERROR
        if self._card:
            self.setProperty("look", "finding-error")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{severity_word(finding.severity)}: {finding.message}")
        self.setAccessibleDescription(str(finding.detail))
        self.buttons = [self._fix_button(fix, primary and i == 0) for i, fix in self._fixes()]
        if showable:
            button = Button(appearance, _("Show"), small=self._card)
            button.clicked.connect(lambda: self.show_chosen.emit(finding))
            self.buttons.append(button)
        self._lay_out()

    def _fixes(self) -> list[tuple[int, Fix]]:
        return list(enumerate(self.finding.fixes[:3]))

    def _fix_button(self, fix: Fix, primary: bool) -> Button:
        look = "primary" if primary else "normal"
        button = Button(self._appearance, str(fix.title), look, small=self._card)
        button.clicked.connect(lambda: self.fix_chosen.emit(fix))
        return button

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        sides = 11 if self._card else 4
        grid.setContentsMargins(sides, 9 if self._card else 4, sides, 9 if self._card else 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        severity = self.finding.severity
        sign = IconLabel(self._appearance, ICONS[severity], TONES[severity])
        grid.addWidget(sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(self._texts(), 0, 1)
        if len(self.buttons) == 1 and not self._card and self._fits_beside(self.buttons[0]):
            grid.addWidget(self.buttons[0], 0, 2, Qt.AlignmentFlag.AlignTop)
        elif self.buttons:
            row = FlowLayout(spacing=6)
            for button in self.buttons:
                row.addWidget(button)
            holder = QHBoxLayout()
            holder.setContentsMargins(0, 7, 0, 0)
            holder.addLayout(row)
            grid.addLayout(holder, 1, 0 if self._card else 1, 1, 3 if self._card else 2)

    def _fits_beside(self, button: Button) -> bool:
        return button.sizeHint().width() <= 110

    def _texts(self) -> QVBoxLayout:
        texts = QVBoxLayout()
        texts.setSpacing(2)
        role = Role.VALUE if self._card else Role.BODY
        texts.addWidget(Label(self._appearance, str(self.finding.message), role, wrap=True))
        if self.finding.detail:
            tone = "text-2" if self._card else "text-3"
            detail = Label(
                self._appearance, str(self.finding.detail), Role.CAPTION, tone, wrap=True
            )
            texts.addWidget(detail)
        return texts
