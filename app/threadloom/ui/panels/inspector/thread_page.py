# SPDX-License-Identifier: MIT
"""The panel's page on one thread."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from threadloom.model.launch import ThreadId
from threadloom.presentation.access.thread_accesses import (
    Accesses,
    accesses_of,
    lockstep_of,
    neighbor_words,
    neighbors,
    spacing_words,
)
from threadloom.presentation.fact import Fact
from threadloom.presentation.inspector.reference_value import ReferenceCheck
from threadloom.presentation.inspector.thread_details import thread_facts, times_come_from
from threadloom.presentation.mapping.mapping_model import MappingModel, Phase
from threadloom.text import _
from threadloom.ui.panels.inspector.access_table import AccessTable
from threadloom.ui.panels.inspector.code_lines import CodeLines
from threadloom.ui.panels.inspector.lane_strip import LaneStrip
from threadloom.ui.panels.inspector.section import Facts, Section, stack
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.icon_label import IconLabel
from threadloom.ui.widgets.label import Label


class ThreadPage(QWidget):
    """Who the thread is, what it touched, how its warp moved, and what its neighbors did."""

    line_clicked = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        stack(
            self,
            self._about(),
            self._memory(),
            self._check(),
            self._warp(),
            self._code(),
            self._beside(),
        )

    def show_thread(
        self,
        model: MappingModel,
        thread: ThreadId,
        element: int | None,
        verdict: ReferenceCheck | None,
    ) -> None:
        """Tell about a thread."""
        trace = model.trace_of(thread.block)
        self.facts.show_facts(thread_facts(model, thread, element))
        origin = times_come_from(model)
        self._origin.setText(origin)
        self._origin.setVisible(bool(origin))
        accesses = accesses_of(model, trace, thread) if trace else Accesses((), 0, 0)
        self.table.show_accesses(accesses)
        self._show_memory_state(model, known=trace is not None, total=accesses.total)
        self._show_verdict(verdict)
        lockstep = lockstep_of(model, trace, thread)
        warp, lane = thread.warp_and_lane(model.launch)
        self._warp_section.title.setText(_("Warp {n}, lockstep").format(n=warp))
        self.strip.show_lanes(lockstep, lane)
        self._lanes.setText(lockstep.words)
        lines = [row.line for row in accesses.rows if row.line > 0]
        line = lines[-1] if lines else lockstep.line
        self._show_code(model.source, line)
        self._show_beside(model, thread, element)

    def _about(self) -> QWidget:
        section = Section(self._appearance)
        self.facts = Facts(self._appearance)
        self._origin = Label(self._appearance, "", Role.CAPTION, "text-3", wrap=True)
        section.rows.addWidget(self.facts)
        section.rows.addWidget(self._origin)
        return section

    def _memory(self) -> QWidget:
        section = Section(self._appearance, _("Memory accesses"), padding=0)
        self.table = AccessTable(self._appearance)
        self._waiting = Label(self._appearance, "", Role.BODY, "text-3", wrap=True)
        self._waiting.setContentsMargins(16, 0, 16, 8)
        section.rows.addWidget(self._waiting)
        section.rows.addWidget(self.table)
        section.rows.setContentsMargins(0, 4, 0, 0)
        return section

    def _check(self) -> QWidget:
        self._check_section = Section(self._appearance)
        self._check_section.rows.setContentsMargins(16, 6, 16, 6)
        row = QHBoxLayout()
        row.setSpacing(8)
        self._mark = IconLabel(self._appearance, "passed", "ok")
        self._verdict = Label(self._appearance, "", Role.BODY, "text", wrap=True)
        row.addWidget(self._mark)
        row.addWidget(self._verdict, 1)
        self._check_section.rows.addLayout(row)
        return self._check_section

    def _warp(self) -> QWidget:
        self._warp_section = Section(self._appearance, _("Warp, lockstep"))
        self.strip = LaneStrip(self._appearance)
        self._lanes = Label(self._appearance, "", Role.BODY, "text-2", wrap=True)
        self._warp_section.rows.addWidget(self.strip)
        self._warp_section.rows.addWidget(self._lanes)
        return self._warp_section

    def _code(self) -> QWidget:
        self._code_section = Section(self._appearance, _("Source line"), padding=0)
        self.code = CodeLines(self._appearance)
        self.code.line_clicked.connect(self.line_clicked)
        self._code_section.rows.addWidget(self.code)
        return self._code_section

    def _beside(self) -> QWidget:
        self._beside_section = Section(self._appearance, _("Neighbors"))
        self.beside = Facts(self._appearance)
        self._spacing = Label(self._appearance, "", Role.CAPTION, "text-3", wrap=True)
        self._beside_section.rows.addWidget(self.beside)
        self._beside_section.rows.addWidget(self._spacing)
        return self._beside_section

    def _show_memory_state(self, model: MappingModel, *, known: bool, total: int) -> None:
        self.table.setVisible(known and total > 0)
        self._waiting.setVisible(not known or not total)
        if not known and model.phase is not Phase.RAN:
            self._waiting.setText(_("Available after a run."))
        elif not known:
            self._waiting.setText(_("Observing the accesses of this block …"))
        elif not total:
            self._waiting.setText(_("No memory accesses: the guard excludes this thread."))

    def _show_verdict(self, verdict: ReferenceCheck | None) -> None:
        self._check_section.setVisible(verdict is not None)
        if verdict is None:
            return
        self._verdict.setText(verdict.words)
        self._mark.show_icon(*(("passed", "ok") if verdict.matches else ("error", "error")))

    def _show_code(self, source: str, line: int) -> None:
        self._code_section.setVisible(line > 0 and bool(source))
        if line > 0:
            self.code.show_line(source, line)
            self._code_section.show_note(_("line {n}").format(n=line))

    def _show_beside(self, model: MappingModel, thread: ThreadId, element: int | None) -> None:
        beside = neighbors(model, thread)
        self._beside_section.setVisible(bool(beside) and model.coverage is not None)
        self.beside.show_facts(
            [
                Fact(_("Lane {n} writes").format(n=one.lane), neighbor_words(model, one))
                for one in beside
            ]
        )
        words = spacing_words(model, element, beside)
        self._spacing.setText(words)
        self._spacing.setVisible(bool(words))
