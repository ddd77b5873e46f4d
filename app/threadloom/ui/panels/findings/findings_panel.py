# SPDX-License-Identifier: MIT
"""The list of findings with its summary."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from threadloom.model.dim3 import Dim3
from threadloom.model.finding import Finding
from threadloom.model.launch import ThreadId
from threadloom.model.run_change import Part, RunChange
from threadloom.model.severity import Severity
from threadloom.presentation.findings_text import summary
from threadloom.text import _
from threadloom.ui.panels.findings.finding_row import FindingRow
from threadloom.ui.state.store import Activity, Store, View
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.chip import Chip
from threadloom.ui.widgets.label import Label
from threadloom.ui.widgets.section import SectionTitle


class FindingsPanel(QWidget):
    """What there is to say, worst first, with at most one primary button."""

    element_shown = Signal(str, int)
    """Array and index of an element that nobody wrote."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._appearance = store, appearance
        self._shown: tuple[Finding, ...] | None = None
        title = SectionTitle(appearance, _("Findings"))
        title.setContentsMargins(4, 0, 4, 0)
        self.chip = Chip(appearance)
        title.add_beside(self.chip)
        self.rows: list[FindingRow] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 8)
        column.setSpacing(0)
        column.addWidget(title)
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        column.addLayout(self._list)
        self._empty = Label(appearance, "", Role.BODY, "text-2", wrap=True)
        self._empty.setContentsMargins(4, 0, 4, 0)
        column.addWidget(self._empty)
        column.addStretch(1)
        for signal in (
            store.launch_preview_changed,
            store.stale_changed,
            store.activity_changed,
        ):
            signal.connect(self._refresh)
        store.run_changed.connect(self._on_run_changed)
        self._refresh()

    def next_finding(self) -> None:
        """Give the keyboard to the next finding, from the last one to the first."""
        if not self.rows:
            return
        at = next((i for i, row in enumerate(self.rows) if row.hasFocus()), -1)
        self.rows[(at + 1) % len(self.rows)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def apply_first_fix(self) -> None:
        """Press the first fix of the finding that has the keyboard, else of the worst one."""
        held = [row for row in self.rows if row.hasFocus()]
        for row in held or self.rows:
            if row.finding.fixes:
                self._store.fix_requested.emit(row.finding.fixes[0])
                return

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS):
            self._refresh()

    def reword(self) -> None:
        """Show the findings in the language in use, after another one was chosen."""
        self._shown = None
        self._refresh()

    def _refresh(self, *_changed: object) -> None:
        findings = shown_findings(self._store)
        self._empty.setText(self._words_for_none())
        if findings == self._shown:
            return
        self._shown = findings
        self._rebuild(findings)
        self.chip.show_text(*summary(findings))
        self._empty.setVisible(not findings)

    def _words_for_none(self) -> str:
        if self._store.activity is Activity.RUNNING:
            return _("Checking …")
        if self._store.failure and self._store.outdated:
            return _("This launch was not checked because it did not complete.")
        if self._store.run is not None:
            return _("Not checked yet. Press F5 to run.")
        return _("Findings appear here after the first run.")

    def _rebuild(self, findings: tuple[Finding, ...]) -> None:
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        first_error = next((f for f in findings if f.severity is Severity.ERROR and f.fixes), None)
        self.rows = [self._row(finding, finding is first_error) for finding in findings[:30]]

    def _row(self, finding: Finding, primary: bool) -> FindingRow:
        row = FindingRow(
            self._appearance,
            finding,
            primary=primary,
            showable=self._can_show(finding),
            parent=self,
        )
        row.fix_chosen.connect(self._store.fix_requested)
        row.show_chosen.connect(self._show)
        self._list.addWidget(row)
        return row

    def _show(self, finding: Finding) -> None:
        """Go where the finding is: pin its thread, or bring its line forward."""
        where = finding.where
        if where.block is not None:
            thread = ThreadId(where.block, where.thread or Dim3(0, 0, 0))
            self._store.select_thread(thread, pinned=True)
        elif (writer := self._writer(finding)) is not None:
            self._store.select_thread(writer, pinned=True)
        elif self._is_untouched(finding):
            self.element_shown.emit(where.array or "", where.index or 0)
        if where.line is not None:
            self._store.view_requested.emit(View.SOURCE)
            self._store.line_requested.emit(where.line)

    def _can_show(self, finding: Finding) -> bool:
        """Whether there is a line or a thread to go to."""
        where = finding.where
        known = where.line is not None or where.block is not None
        return known or self._writer(finding) is not None or self._is_untouched(finding)

    def _is_untouched(self, finding: Finding) -> bool:
        """Whether a finding speaks of an element that no thread wrote."""
        result, where = self._store.run, finding.where
        if result is None or result.trace is None or where.index is None:
            return False
        coverage = result.trace.coverage.get(where.array or "")
        inside = coverage is not None and 0 <= where.index < coverage.elements
        return coverage is not None and inside and int(coverage.owner[where.index]) < 0

    def _writer(self, finding: Finding) -> ThreadId | None:
        """The thread that wrote the element that a finding speaks of, if one did."""
        result, where = self._store.run, finding.where
        if result is None or result.trace is None or where.index is None:
            return None
        coverage = result.trace.coverage.get(where.array or "")
        if coverage is None or not 0 <= where.index < coverage.elements:
            return None
        owner = int(coverage.owner[where.index])
        return ThreadId.of_global(result.launch, owner) if owner >= 0 else None


_ORDER = list(Severity)


def shown_findings(store: Store) -> tuple[Finding, ...]:
    """Findings worst first.

    While a run that will replace the last one is on its way, the last one's stay, so that the
    list does not blink; a launch that is refused says so at once.
    """
    launch_preview, result = store.launch_preview, store.run
    ahead = launch_preview.findings if launch_preview is not None else ()
    if launch_preview is not None and launch_preview.refused:
        told = result.findings if result is not None and not store.stale else ahead
        return _sorted(told or ahead)
    if result is None:
        return _sorted(ahead)
    soon = not store.outdated and store.activity is not Activity.SWEEPING
    if not store.stale or (soon and not result_stops(result.findings)):
        return _sorted(result.findings)
    return _sorted(ahead)


def result_stops(findings: Sequence[Finding]) -> bool:
    """Whether one of them says that nothing ran."""
    return any(finding.stops_launch for finding in findings)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: _ORDER.index(finding.severity)))
