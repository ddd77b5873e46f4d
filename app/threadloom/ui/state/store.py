# SPDX-License-Identifier: MIT
"""What is chosen and what is known. Views follow its signals and never ask each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, Signal

from threadloom.model.finding import Fix
from threadloom.model.launch import ThreadId
from threadloom.model.run import Run
from threadloom.model.run_change import Part, RunChange, updated
from threadloom.model.timing.samples import USUAL_BASELINES, SeriesKey, StoppingCriterion
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.messages.launch_sweep import LaunchChoice, LaunchSweepResult
from threadloom.services.messages.run import RunProgress
from threadloom.services.messages.sweep import SweepProgress, SweepResult
from threadloom.services.storage.workspace import Workspace


class Activity(Enum):
    """What the worker is doing for the window."""

    IDLE = auto()
    RUNNING = auto()
    SWEEPING = auto()


class Over(Enum):
    """What changes from point to point of a sweep."""

    SIZE = "size"
    BLOCK = "block"
    VARIANT = "variant"


class View(Enum):
    """Tabs below the mapping."""

    TIMINGS = "timings"
    MEMORY = "memory"
    TIMELINE = "timeline"
    SOURCE = "source"
    RUNS = "runs"


@dataclass(frozen=True, slots=True)
class SweepChoices:
    """How a sweep measures."""

    rule: StoppingCriterion = StoppingCriterion(min_samples=6, max_samples=20, time_limit_s=0.5)
    skip_above_s: float = 10.0
    """A series stops at the size where one run would take longer."""
    all_gpus: bool = False
    """Whether all GPUs share the work, where there are several."""


@dataclass(frozen=True, slots=True, eq=False)
class LaunchSweep:
    """A sweep over launches: what is known of it, and what was asked for."""

    over: Over
    result: LaunchSweepResult
    """Complete, stopped, or so far."""
    choices: tuple[LaunchChoice, ...]
    running: bool = False


@dataclass(frozen=True, slots=True)
class SelectedThread:
    """The thread that all views highlight."""

    thread: ThreadId
    pinned: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RunRecord:
    """One finished run of this session, for the Runs tab."""

    number: int
    run: Run


class Store(QObject):
    """Plain holder of the window's state. Setters drop what is equal and then emit one signal."""

    workspace_changed = Signal(Workspace, Workspace)
    """The new one, the old one"""
    run_changed = Signal(RunChange)
    """Another run, more of the shown one, or none any more; it says which parts are new."""
    stale_changed = Signal(bool)
    """Whether the shown result is older than the choices."""
    activity_changed = Signal(Activity)
    progress_changed = Signal(RunProgress)
    sweep_changed = Signal(object)
    """SweepProgress or SweepResult, or None where one is forgotten"""
    launch_sweep_changed = Signal(LaunchSweep)
    """LaunchSweep, or None where one is forgotten"""
    over_changed = Signal(Over)
    """What sweeps go over"""
    baselines_changed = Signal(tuple)
    """Series keys: what to time and show beside the kernel"""
    selected_thread_changed = Signal(SelectedThread)
    """None if no thread is selected any more"""
    playhead_changed = Signal(float)
    """Seconds from the launch's start, in the time of the shown timeline."""
    devices_changed = Signal(DevicesResult)
    runs_changed = Signal()
    failure_changed = Signal(str)
    """Words of a worker that died or was stopped; empty when all is well."""
    notice_changed = Signal(str)
    """Words about a file or a folder that could not be had; they stay until they are dismissed, or
    until something else is chosen."""
    view_requested = Signal(View)
    """A tab to bring forward."""
    line_requested = Signal(int)
    """Line of the source to show, from 1."""
    launch_preview_changed = Signal(LaunchPreview)
    """What is known of the chosen launch before it runs."""
    run_requested = Signal()
    """Compile and run what is chosen."""
    anyway_requested = Signal()
    """Launch on the GPU what its limits refuse, to hear the driver's own words."""
    stop_requested = Signal()
    """Stop what runs."""
    sweep_requested = Signal(tuple)
    """Of bare sizes, or of blocks, to time; empty for the usual ones, or for what an
    interrupted sweep has left. `over` says of which kind they are, `sweep_choices` how."""
    breakdown_requested = Signal()
    """Time every step of the shown run's way through the GPU."""
    fix_requested = Signal(Fix)
    """To apply, and then to run."""
    export_requested = Signal(str)
    """Open the export dialog for a figure; an empty name means the one that is shown."""
    maximized_changed = Signal(bool)
    """Whether the tabs take the whole center."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.run: Run | None = None
        self.stale = False
        self.activity = Activity.IDLE
        self.progress: RunProgress | None = None
        self.sweep: SweepProgress | SweepResult | None = None
        self.over = Over.SIZE
        self.launch_sweeps: dict[Over, LaunchSweep] = {}
        self.baselines: tuple[SeriesKey, ...] = USUAL_BASELINES
        self.selected_thread: SelectedThread | None = None
        self.playhead_s = 0.0
        self.devices: DevicesResult | None = None
        self.runs: list[RunRecord] = []
        self.failure = ""
        self.notice = ""
        self.launch_preview: LaunchPreview | None = None
        self.maximized = False
        self.sweep_choices = SweepChoices()

    def set_workspace(self, workspace: Workspace) -> None:
        """Choose anew."""
        old = self.workspace
        if workspace != old:
            self.workspace = workspace
            self.workspace_changed.emit(workspace, old)

    def change(self, **changes: object) -> None:
        """Choose some values anew."""
        self.set_workspace(self.workspace.with_(**changes))

    def set_run(self, run: Run | None) -> None:
        """Show another run and note it among the runs; or show none."""
        self.run = run
        if run is not None:
            number = self.runs[-1].number + 1 if self.runs else 1
            self.runs.append(RunRecord(number, run))
            self.runs_changed.emit()
        self.run_changed.emit(RunChange(run))

    def update_run(self, later: Run, parts: frozenset[Part]) -> None:
        """Take these parts of a later record of the shown run; it is no new run."""
        if self.run is None:
            return
        self.run = updated(self.run, later, parts)
        if self.runs:
            self.runs[-1] = RunRecord(self.runs[-1].number, self.run)
            if Part.FINDINGS in parts:
                self.runs_changed.emit()
        self.run_changed.emit(RunChange(self.run, parts))

    def set_stale(self, stale: bool) -> None:
        """Say whether the shown result is older than the choices."""
        if stale != self.stale:
            self.stale = stale
            self.stale_changed.emit(stale)

    @property
    def outdated(self) -> bool:
        """Whether the shown result is older than the choices, and no run is to take its place."""
        return self.stale and (not self.workspace.live or bool(self.failure))

    def set_activity(self, activity: Activity) -> None:
        """Say what the worker is doing."""
        if activity is not self.activity:
            self.activity = activity
            self.activity_changed.emit(activity)

    def set_progress(self, progress: RunProgress) -> None:
        """Say which stage of a run has begun."""
        self.progress = progress
        self.progress_changed.emit(progress)

    def set_sweep(self, sweep: SweepProgress | SweepResult) -> None:
        """Show a sweep so far, or a whole one."""
        self.sweep = sweep
        self.sweep_changed.emit(sweep)

    def set_over(self, over: Over) -> None:
        """Have later sweeps go over something else."""
        if over is not self.over:
            self.over = over
            self.over_changed.emit(over)

    def set_launch_sweep(self, sweep: LaunchSweep) -> None:
        """Show a sweep over launches so far, or a whole one."""
        self.launch_sweeps[sweep.over] = sweep
        self.launch_sweep_changed.emit(sweep)

    def forget_sweep(self) -> None:
        """Let the next sweep of the chosen kind begin anew, though the last was interrupted."""
        if self.over is Over.SIZE:
            self.sweep = None
            self.sweep_changed.emit(None)
        elif self.launch_sweeps.pop(self.over, None) is not None:
            self.launch_sweep_changed.emit(None)

    def set_baselines(self, baselines: tuple[SeriesKey, ...]) -> None:
        """Choose what to time and show beside the kernel."""
        if baselines != self.baselines:
            self.baselines = baselines
            self.baselines_changed.emit(baselines)

    def select_thread(self, thread: ThreadId | None, *, pinned: bool = False) -> None:
        """Highlight a thread everywhere, or none."""
        selected_thread = None if thread is None else SelectedThread(thread, pinned)
        if selected_thread != self.selected_thread:
            self.selected_thread = selected_thread
            self.selected_thread_changed.emit(selected_thread)

    def set_playhead(self, seconds: float) -> None:
        """Move the animation's clock."""
        if seconds != self.playhead_s:
            self.playhead_s = seconds
            self.playhead_changed.emit(seconds)

    def set_devices(self, devices: DevicesResult) -> None:
        """Say what is here."""
        self.devices = devices
        self.devices_changed.emit(devices)

    def set_failure(self, text: str) -> None:
        """Say that the worker died or was stopped."""
        if text != self.failure:
            self.failure = text
            self.failure_changed.emit(text)
            self.stale_changed.emit(self.stale)  # whether what is shown is outdated

    def set_notice(self, text: str) -> None:
        """Say that a file or a folder could not be had; with an empty text, that this is read."""
        if text != self.notice:
            self.notice = text
            self.notice_changed.emit(text)

    def set_launch_preview(self, launch_preview: LaunchPreview) -> None:
        """Say what is known of the chosen launch before it runs."""
        self.launch_preview = launch_preview
        self.launch_preview_changed.emit(launch_preview)

    def set_maximized(self, maximized: bool) -> None:
        """Give the tabs the whole center, or not."""
        if maximized != self.maximized:
            self.maximized = maximized
            self.maximized_changed.emit(maximized)
