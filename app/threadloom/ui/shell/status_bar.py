# SPDX-License-Identifier: MIT
"""What ran where, how long compiling took, and whether the result is right."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from threadloom.model.finding import Verdict
from threadloom.model.run import Run
from threadloom.model.run_change import Part, RunChange
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.stage_text import stage_text
from threadloom.services.messages.run import RunProgress
from threadloom.services.messages.sweep import SweepProgress, SweepResult
from threadloom.text import _, count, duration, percent, scientific
from threadloom.ui.state.store import Activity, LaunchSweep, Store
from threadloom.ui.theme.theme import Appearance, Role
from threadloom.ui.widgets.icon_label import IconLabel
from threadloom.ui.widgets.label import ElidedLabel, Label
from threadloom.ui.widgets.section import Line


class _Item(QWidget):
    """An icon with a text."""

    def __init__(self, appearance: Appearance, icon: str = "", *, yields: bool = False) -> None:
        super().__init__()
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self._icon = IconLabel(appearance, icon, "text-2", 14)
        self._icon.setVisible(bool(icon))
        kind = ElidedLabel if yields else Label
        self._text = kind(appearance, "", Role.BODY, "text-2")
        row.addWidget(self._icon)
        row.addWidget(self._text)

    def add_mark(self, *, at_end: bool) -> None:
        place = self._row.count() if at_end else 0
        self._row.insertWidget(place, _mark())
        self._row.insertSpacing(place if at_end else 1, 6)

    def say(self, text: str, icon: str = "", tone: str = "text-2", ink: str = "text-2") -> None:
        self._text.setText(text)
        self._text.set_tone(ink)
        self._icon.show_icon(icon, tone)
        self._icon.setVisible(bool(icon))
        self.setVisible(bool(text))

    @property
    def text(self) -> str:
        return self._text.text()


class StatusBar(QFrame):
    """The line at the bottom, 26 px high."""

    def __init__(self, store: Store, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setProperty("look", "panel")
        self.setFixedHeight(appearance.scaled(25))
        appearance.changed.connect(lambda: self.setFixedHeight(appearance.scaled(25)))
        self.engine = _Item(appearance, "chip")
        self.compiling = _Item(appearance)
        self.check = _Item(appearance, yields=True)
        self.timer = _Item(appearance, "clock")
        self.memory = _Item(appearance)
        self._lay_out([self.engine, self.compiling, self.check], [self.timer, self.memory])
        store.launch_preview_changed.connect(self._on_launch_preview_changed)
        store.run_changed.connect(self._on_run_changed)
        store.activity_changed.connect(lambda _activity: self._refresh())
        store.progress_changed.connect(self._on_progress_changed)
        store.sweep_changed.connect(lambda _sweep: self._refresh())
        store.launch_sweep_changed.connect(lambda _sweep: self._refresh())
        store.failure_changed.connect(lambda _text: self._refresh())
        if store.launch_preview is not None:
            self._on_launch_preview_changed(store.launch_preview)
        self._refresh()

    def _lay_out(self, left: list[_Item], right: list[_Item]) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        for item in left:
            row.addWidget(item)
            item.add_mark(at_end=True)
        row.addStretch(1)
        for item in right:
            row.addWidget(item)
            item.add_mark(at_end=False)

    def _on_launch_preview_changed(self, launch_preview: LaunchPreview) -> None:
        device = launch_preview.device
        if device.index is not None:
            self.engine.say(_("PyCUDA on {device}").format(device=device.name), "chip", "ok")
            memory = _("{size} GB of GPU memory")
            self.memory.say(memory.format(size=count(device.memory_bytes / 1e9)))
            self.timer.say(_("CUDA events, 0.5 µs resolution"), "clock")
        else:
            text = _("CPU emulator, modeled as {device}")
            self.engine.say(text.format(device=device.name), "chip", "info")
            self.memory.say(_("GPU times are modeled"))
            self.timer.say(
                _("CPU timer, {step} resolution").format(step=_timer_resolution()), "clock"
            )

    def _on_progress_changed(self, progress: RunProgress) -> None:
        self.compiling.say(stage_text(progress.stage))

    def _on_run_changed(self, change: RunChange) -> None:
        if change.affects(Part.FINDINGS):
            self._refresh()

    def _refresh(self) -> None:
        store = self._store
        launches = store.launch_sweeps.get(store.over)
        if store.activity is Activity.SWEEPING and launches is not None and launches.running:
            self.compiling.say(launch_sweep_words(launches))
        elif store.activity is Activity.SWEEPING and isinstance(store.sweep, SweepProgress):
            self.compiling.say(sweep_words(store.sweep))
        elif store.activity is not Activity.RUNNING:
            self.compiling.say(compile_words(store.run))
        self._show_check()

    def _show_check(self) -> None:
        store = self._store
        if store.failure:
            self.check.say(_("The last run did not complete"), "error", "error", "text")
        elif isinstance(store.sweep, SweepResult) and store.run is None:
            self.check.say(_("Sweep finished"), "passed", "ok", "text")
        else:
            self.check.say(*check_words(store.run))


def _mark() -> Line:
    line = Line(upright=True)
    line.setFixedHeight(14)
    return line


def _timer_resolution() -> str:
    """Step of the clock that times the CPU, as the system states it."""
    return duration(time.get_clock_info("perf_counter").resolution)


def sweep_words(sweep: SweepProgress) -> str:
    """How far a sweep is."""
    if sweep.left_s is None:
        text = _("{done} of {total} sizes")
        return text.format(done=count(sweep.done), total=count(sweep.total))
    text = _("{done} of {total} sizes, about {left} left")
    left = duration(round(sweep.left_s)) if sweep.left_s >= 1 else _("1 s")
    return text.format(done=count(sweep.done), total=count(sweep.total), left=left)


def launch_sweep_words(sweep: LaunchSweep) -> str:
    """How far a sweep over launches is."""
    text = _("{done} of {total} launches")
    return text.format(done=count(len(sweep.result.points)), total=count(len(sweep.choices)))


def compile_words(run: Run | None) -> str:
    """How long compiling took."""
    if run is None:
        return _("Ready")
    if run.compilation is None or run.compilation.resources is None:
        return ""
    if run.compilation.from_cache:
        return _("Compiled (cached)")
    return _("Compiled in {time}").format(time=duration(run.compilation.compile_s))


def check_words(result: Run | None) -> tuple[str, str, str, str]:
    """Text, icon, its tone and the text's tone for the check against NumPy."""
    if result is None:
        return "", "", "text-2", "text-2"
    if not result.launched:
        stops = [finding for finding in result.findings if finding.stops_launch]
        if any(finding.verdict == Verdict.COMPILE_ERROR for finding in stops):
            return _("Not compiled"), "error", "error", "text"
        if stops and stops[0].is_abort:
            return _("Did not finish"), "error", "error", "text"
        return _("Not launched"), "error", "error", "text"
    if result.matches is None:
        return _("Ran; no reference to compare with"), "note", "info", "text"
    return _match_words(result)


def _match_words(result: Run) -> tuple[str, str, str, str]:
    wrong = [c for c in result.comparisons if not c.matches]
    if wrong:
        text = _("{wrong} of {all} elements differ from NumPy ({share})")
        share = percent(wrong[0].mismatches / max(1, wrong[0].elements), 2)
        words = text.format(
            wrong=count(wrong[0].mismatches), all=count(wrong[0].elements), share=share
        )
        return words, "warning", "warn", "text"
    worst = max(result.comparisons, key=lambda c: c.max_error)
    if worst.max_error == 0:
        return _("Matches NumPy (max error 0)"), "passed", "ok", "text"
    text = _("Matches NumPy (max error {error}, tolerance {allowed})")
    words = text.format(error=scientific(worst.max_error), allowed=scientific(worst.tolerance))
    return words, "passed", "ok", "text"
