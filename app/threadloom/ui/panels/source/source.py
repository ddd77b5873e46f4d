# SPDX-License-Identifier: MIT
"""The Source tab: edits go to the choices, problems and the selected line come back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from threadloom.model.finding import Finding, Fix
from threadloom.model.program import Diagnostic
from threadloom.model.run_change import Part, RunChange
from threadloom.model.severity import Severity
from threadloom.presentation.parsed_source import kernel_named, kernels_of
from threadloom.presentation.source.problem import Problem, problems
from threadloom.presentation.source.selected_line import selected_line
from threadloom.presentation.source.signature_text import signature_words
from threadloom.services.storage.text_file import TextFileError, read_text
from threadloom.services.storage.workspace import Workspace
from threadloom.text import _, ngettext
from threadloom.ui.panels.source.code_view import CodeView
from threadloom.ui.panels.source.line_strip import LineStrip
from threadloom.ui.panels.source.source_bar import SourceBar
from threadloom.ui.panels.tabs.pane import Header, Mark, Pane
from threadloom.ui.state.store import Store
from threadloom.ui.theme.theme import Appearance
from threadloom.ui.widgets.section import Line
from threadloom_kernels import read_source

PAUSE_MS = 250
"""Without a key for so long, an edit is told to the store."""


class SourcePane(Pane):
    """The text that is compiled, as it was written or as a user has changed it."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(store, appearance, parent)
        self.code = CodeView(appearance)
        self.strip = LineStrip(appearance, self.code, self)
        self.bar = SourceBar(appearance)
        self._problems: tuple[Problem, ...] = ()
        self._pending = False
        """Whether the text holds an edit that the store does not know of."""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.commit)
        self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.strip)
        row.addWidget(self.code, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(Line())
        column.addLayout(row, 1)
        self.setFocusProxy(self.code)

    def _connect(self) -> None:
        store = self.store
        self.code.edited.connect(self._on_edited)
        self.code.leaving.connect(self.commit)
        self.code.fix_chosen.connect(self._on_fix_chosen)
        self.bar.reverted.connect(lambda: store.change(source=None, entry=None, source_file=None))
        self.bar.entry_picked.connect(lambda name: store.change(entry=name))
        store.workspace_changed.connect(self._on_workspace_changed)
        store.launch_preview_changed.connect(lambda _preview: self.refresh())
        store.run_changed.connect(self._on_run_changed)
        store.selected_thread_changed.connect(lambda _selected_thread: self._show_selected_thread())
        store.playhead_changed.connect(lambda _seconds: self._show_selected_thread())
        store.line_requested.connect(self.code.show_line)

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS):
            self._show_findings()
        elif change.affects(Part.TRACE):
            self._show_selected_thread()

    def refresh(self) -> None:
        """Show the source that the choices mean, unless an edit is pending."""
        text = self.chosen_text()
        if text is None or self._pending:
            return
        self.code.show_text(text)
        self._show_findings()

    def chosen_text(self) -> str | None:
        """The edited source, else the variant's own; None while no operation is known."""
        workspace, launch_preview = self.store.workspace, self.store.launch_preview
        if workspace.source is not None:
            return workspace.source
        own = self._own_text()
        return own if launch_preview is not None else None

    def commit(self) -> None:
        """Tell the store of a pending edit at once."""
        if not self._pending:
            return
        self._pause.stop()
        self._pending = False
        text = self.code.text()
        source = None if text == self._own_text() else text
        changes: dict[str, object] = {"source": source}
        entry = self.store.workspace.entry
        if source is None or (entry is not None and kernel_named(text, entry) is None):
            changes["entry"] = None
        self.store.change(**changes)
        self._show_findings()

    def _own_text(self) -> str | None:
        launch_preview = self.store.launch_preview
        if launch_preview is None:
            return None
        return read_source(
            launch_preview.operation, launch_preview.variant, self.store.workspace.dtype
        )

    def _on_edited(self) -> None:
        self._pending = True
        self._pause.start()
        self._show_findings()

    def _on_fix_chosen(self, fix: Fix) -> None:
        self.commit()
        self.store.fix_requested.emit(fix)

    def _on_workspace_changed(self, new: Workspace, old: Workspace) -> None:
        if (new.source, new.operation, new.variant, new.dtype) != (
            old.source,
            old.operation,
            old.variant,
            old.dtype,
        ):
            self.refresh()
        self._tell_header()

    def _show_findings(self) -> None:
        """Show problems, as long as they speak of the text that is shown."""
        shown = problems(*self._said()) if not self._pending else ()
        if shown != self._problems:
            self._problems = shown
            self.code.show_problems(shown)
            worst: dict[int, Problem] = {}
            for problem in shown:
                worst.setdefault(problem.line, problem)
            self.strip.show_problems(worst)
        self._show_selected_thread()
        self._show_bar()
        self._tell_header()

    def _said(self) -> tuple[tuple[Finding, ...], tuple[Diagnostic, ...]]:
        result, launch_preview = self.store.run, self.store.launch_preview
        if result is not None and result.source == self.code.text():
            return result.findings, result.diagnostics
        if launch_preview is not None and self.chosen_text() == self.code.text():
            return launch_preview.findings, ()
        return (), ()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the animation, which is not followed while the code is hidden."""
        super().showEvent(event)
        self._show_selected_thread()

    def _show_selected_thread(self) -> None:
        if not self.isVisible():
            return
        result, selected_thread = self.store.run, self.store.selected_thread
        known = result is not None and result.source == self.code.text()
        if not known or result is None or result.trace is None or selected_thread is None:
            self.code.select_line(None)
            return
        self.code.select_line(
            selected_line(
                result.trace,
                result.launch,
                selected_thread.thread,
                result.timeline,
                self.store.playhead_s,
            )
        )

    def _show_bar(self) -> None:
        text = self.code.text()
        names = tuple(kernel.name for kernel in kernels_of(text))
        entry = self._entry(names)
        kernel = kernel_named(text, entry) if entry else None
        words = signature_words(kernel) if kernel is not None else _("No kernel in this source")
        edited = self.store.workspace.source is not None or self._pending
        self.bar.show_state(names, entry, words, edited=edited)

    def _entry(self, names: tuple[str, ...]) -> str:
        """Kernel that is launched, by the same rule as in a run."""
        chosen, launch_preview = self.store.workspace.entry, self.store.launch_preview
        own = launch_preview.variant.entry if launch_preview is not None else ""
        wanted = [name for name in (chosen, own) if name in names]
        return wanted[0] if wanted else names[0] if names else ""

    def _tell_header(self) -> None:
        errors = sum(one.severity is Severity.ERROR for one in self._problems)
        warnings = sum(one.severity is Severity.WARNING for one in self._problems)
        marks = []
        if errors:
            marks.append(
                Mark(ngettext("{n} error", "{n} errors", errors).format(n=errors), "error")
            )
        if warnings:
            text = ngettext("{n} warning", "{n} warnings", warnings).format(n=warnings)
            marks.append(Mark(text, "warn"))
        self.show_header(Header(tuple(marks), self._caption()))

    def _caption(self) -> str:
        workspace, launch_preview = self.store.workspace, self.store.launch_preview
        if workspace.source is None:
            return launch_preview.variant.file if launch_preview is not None else ""
        if workspace.source_file is None:
            return _("edited, not saved")
        path = Path(workspace.source_file)
        saved = _file_text(path) == self.code.text()
        return path.name if saved else _("{file}, not saved").format(file=path.name)


def _file_text(path: Path) -> str | None:
    """Text of a file; None if it cannot be read, which counts as not saved."""
    try:
        return read_text(path)
    except TextFileError:
        return None
