# SPDX-License-Identifier: MIT
"""Submits what is chosen to the client, and puts what it answers into the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from threadloom.model.apply_fix import EditError, apply_fix
from threadloom.model.finding import Fix
from threadloom.model.job import EngineChoice, Job
from threadloom.model.run import Run
from threadloom.model.run_change import Part
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch_preview import preview_launch
from threadloom.services.messages.devices import DevicesRequest, DevicesResult
from threadloom.services.messages.launch_sweep import LaunchSweepRequest
from threadloom.services.messages.message import Request
from threadloom.services.messages.run import (
    ResourcesRequest,
    RunProgress,
    RunRequest,
)
from threadloom.services.messages.sweep import SweepRequest
from threadloom.services.storage.workspace import Workspace
from threadloom.ui.app.breakdown_wait import BreakdownWait
from threadloom.ui.app.pending_request import ADDITIONS, BESIDE, Kind, Task
from threadloom.ui.app.run_requests import look_request, run_request
from threadloom.ui.app.sweeping import keep_points, sweep_request, take_progress, take_result
from threadloom.ui.state.store import Activity, SelectedThread, Store
from threadloom.worker.event import Event, Failed, Finished, Progressed
from threadloom.worker.outcome import ExitReason, Outcome

LIVE_DELAY_MS = 300
"""So long a change waits for the run that is on, so that a turning knob shows runs on its way."""
LOOK_PAUSE_MS = 250
"""A block that is selected for so long has its accesses looked at."""
_DAY_S = 86_400.0
_DEVICES_S = 60.0
_RESOURCES_S = 150.0
"""For NVIDIA's compiler, after a run."""


class Requests(Protocol):
    """What the run controller needs of a `threadloom.services.client.Client`."""

    def connect(self, on_event: Callable[[Event], None]) -> None:
        """Give every later event to this."""
        ...

    def submit(self, request: Request, max_time_s: float, devices: Sequence[int] = ()) -> int:
        """Have a request answered in place of any earlier one; gives its number."""
        ...

    def cancel(self) -> None:
        """Stop what runs."""
        ...

    def close(self) -> None:
        """End the children."""
        ...


class RunController(QObject):
    """Runs, sweeps and looks; one at a time, the newest wins, runs wait for a sweep."""

    _arrived = Signal(object)
    """Event, on its way from a thread of the client to this one."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        client: Requests,
        *,
        kernel_limit_s: float = 10.0,
        operations_folder: str | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._inventory = store, catalog
        self.kernel_limit_s = kernel_limit_s
        self._operations_folder = operations_folder
        self._task: Task | None = None
        self._run_waits = False
        self._shown_job: Job | None = None
        self._live_delay = self._timer(LIVE_DELAY_MS, self._on_live_delay_over)
        self._look_pause = self._timer(LOOK_PAUSE_MS, self._look)
        self._breakdown = BreakdownWait(store, self)
        self._breakdown.due.connect(self._on_breakdown_due)
        self._arrived.connect(self._on_event, Qt.ConnectionType.QueuedConnection)
        store.workspace_changed.connect(self._on_workspace_changed)
        store.selected_thread_changed.connect(self._on_selected_thread_changed)
        store.run_requested.connect(lambda: self.run())
        store.anyway_requested.connect(lambda: self.run(anyway=True))
        store.stop_requested.connect(self.stop)
        store.sweep_requested.connect(self.sweep)
        store.baselines_changed.connect(self._on_baselines_changed)
        store.fix_requested.connect(self.apply)
        self._client = client
        client.connect(self._arrived.emit)
        self._foretell()

    def start(self) -> None:
        """Ask what devices are here."""
        self._submit(Kind.DEVICES, DevicesRequest(), _DEVICES_S)

    def run(self, *, anyway: bool = False) -> None:
        """Compile and run what is chosen; after a sweep or the look for devices, if one is on.

        Whatever the limits say, a GPU is asked if it is to be launched ``anyway``.
        """
        self._live_delay.stop()
        self._look_pause.stop()
        self._breakdown.forget()
        if self._task is not None and self._task.kind in {Kind.SWEEP, Kind.DEVICES}:
            self._run_waits = True
            return
        self._run_waits = False
        job = self._job()
        self._store.set_activity(Activity.RUNNING)
        request = run_request(self._store, job, self.kernel_limit_s, anyway=anyway)
        self._submit(Kind.RUN, request, self.kernel_limit_s)

    def stop(self) -> None:
        """Stop what runs; a sweep keeps the points that it has."""
        self._live_delay.stop()
        self._run_waits = False
        if self._task is None or self._task.kind is Kind.DEVICES:
            return
        self._task.stopped = True
        self._client.cancel()

    def sweep(self, wanted: tuple[object, ...] = ()) -> None:
        """Time what is chosen over sizes, blocks or variants, by default over the usual ones."""
        self._live_delay.stop()
        operation = self._inventory.operation(self._store.workspace)
        request = sweep_request(self._store, self._job(), operation, wanted)
        self._store.set_activity(Activity.SWEEPING)
        gpus = self._sharing_gpus()
        self._submit(Kind.SWEEP, request, _DAY_S, gpus if len(gpus) > 1 else ())

    def _sharing_gpus(self) -> list[int]:
        """Numbers of the GPUs that share a sweep; none if one is to do it all."""
        here, workspace = self._store.devices, self._store.workspace
        if (
            here is None
            or workspace.engine == EngineChoice.EMULATOR
            or not self._store.sweep_choices.all_gpus
        ):
            return []
        return [gpu.index for gpu in here.gpus if gpu.index is not None]

    def apply(self, fix: Fix) -> None:
        """Make the change that a fix stands for, and run."""
        try:
            changed = apply_fix(self._store.workspace, fix, self._source())
        except EditError as error:
            self._store.set_failure(str(error))
            return
        self._store.set_workspace(changed)
        self.run()

    def close(self) -> None:
        """End the client's children; events that are still on their way are dropped."""
        self._task = None
        self._breakdown.forget()
        for timer in (self._live_delay, self._look_pause):
            timer.stop()
        self._client.close()

    # Choices ------------------------------------------------------------------------------------

    def _on_workspace_changed(self, new: Workspace, old: Workspace) -> None:
        self._foretell()
        self._show_stale()
        if new.job() != old.job():
            self._store.set_failure("")
            self._store.set_notice("")
        if new.job() != old.job() and new.live:
            self._run_live()
        elif new.live and not old.live and self._store.stale:
            self.run()

    def _run_live(self) -> None:
        """Run at once, or when the run that is on has ended, or has taken too long."""
        if self._task is None or self._task.kind is not Kind.RUN or self._task.shown:
            self.run()
        elif not self._live_delay.isActive():
            self._live_delay.start()

    def _on_live_delay_over(self) -> None:
        if self._task is not None and self._is_outdated(self._task):
            self.run()

    def _is_outdated(self, task: Task) -> bool:
        """Whether Live wants another run than the one that is on or has just ended."""
        if not isinstance(task.request, RunRequest) or task.kind is not Kind.RUN:
            return False
        return self._store.workspace.live and not task.stopped and task.request.job != self._job()

    def _foretell(self) -> None:
        store = self._store
        store.set_launch_preview(
            preview_launch(store.workspace, self._inventory, store.devices, store.run)
        )

    def _show_stale(self) -> None:
        result = self._store.run
        self._store.set_stale(result is not None and self._shown_job != self._job())

    def _job(self) -> Job:
        return replace(self._store.workspace.job(), operations_folder=self._operations_folder)

    def _source(self) -> str:
        """Text that the shown findings speak of."""
        workspace, result = self._store.workspace, self._store.run
        if workspace.source is not None:
            return workspace.source
        if result is not None and result.source and not self._store.stale:
            return result.source
        return self._store.launch_preview.source if self._store.launch_preview is not None else ""

    # The selected block -------------------------------------------------------------------------

    def _on_selected_thread_changed(self, selected_thread: SelectedThread | None) -> None:
        if selected_thread is None:
            self._look_pause.stop()
        else:
            self._look_pause.start()

    def _look(self) -> None:
        """Have the accesses of the selected block recorded, if they are not."""
        request = look_request(self._store, self._job(), self.kernel_limit_s)
        if self._task is None and request is not None:
            self._submit(Kind.LOOK, request, self.kernel_limit_s)

    # Times ----------------------------------------------------------------------------------------

    def _on_baselines_changed(self, _baselines: object) -> None:
        """With Live, time what has come to be wanted."""
        if self._store.workspace.live and self._store.run is not None:
            self.run()

    def _on_breakdown_due(self) -> None:
        if self._task is None:
            self._go_on_with_breakdown()

    def _go_on_with_breakdown(self) -> bool:
        """Time the whole way of the shown run, if that is wanted."""
        request = self._breakdown.take(self._job())
        if request is None:
            return False
        self._submit(Kind.BREAKDOWN, request, self.kernel_limit_s)
        return True

    # The client ---------------------------------------------------------------------------------

    def _submit(
        self, kind: Kind, request: Request, max_time_s: float, devices: Sequence[int] = ()
    ) -> None:
        number = self._client.submit(request, max_time_s, devices)
        self._task = Task(kind, number, request)

    def _on_event(self, event: Event) -> None:
        task = self._task
        if task is None or event.number != task.number:
            return
        if isinstance(event, Progressed):
            self._on_progress(task, event.message)
            return
        self._task = None
        if isinstance(event, Finished):
            self._on_finished(task, event.result)
        elif isinstance(event, Failed):
            self._on_failed(task, event.outcome)
        if self._task is None:
            self._go_on(task)

    def _on_progress(self, task: Task, message: object) -> None:
        if isinstance(task.request, SweepRequest | LaunchSweepRequest):
            take_progress(self._store, task.request, message)
        elif isinstance(message, Run):
            self._take_run(task, message)
        elif isinstance(message, RunProgress) and task.kind is Kind.RUN:
            self._store.set_progress(message)

    def _on_finished(self, task: Task, result: object) -> None:
        if isinstance(result, DevicesResult):
            self._store.set_devices(result)
            self._foretell()
        elif isinstance(task.request, SweepRequest | LaunchSweepRequest):
            take_result(self._store, task.request, result)
        elif isinstance(result, Run):
            self._take_run(task, result)

    def _take_run(self, task: Task, run: Run) -> None:
        """Show a run, or more of the one that is shown."""
        parts = task.new_parts(run)
        if Part.TARGET in parts and isinstance(task.request, RunRequest):
            task.shown, self._shown_job = True, task.request.job
            self._store.set_failure("")
            self._store.set_run(run)
            self._show_stale()
        elif parts and not (task.kind in ADDITIONS and self._store.stale):
            self._store.update_run(run, parts)
        if Part.FINDINGS in parts:
            self._foretell()

    def _on_failed(self, task: Task, outcome: Outcome) -> None:
        if isinstance(task.request, SweepRequest | LaunchSweepRequest):
            keep_points(self._store, task.request)
        if outcome.reason is not ExitReason.CANCELLED and task.kind not in BESIDE:
            self._store.set_failure(str(outcome.message))

    def _has_more(self, finished: Kind) -> bool:
        """Whether the run that has just ended left NVIDIA's compiler at work."""
        run = self._store.run
        return finished is Kind.RUN and run is not None and run.pending

    def _go_on(self, finished: Task) -> None:
        """Nothing is in hand any more: run what has waited."""
        wanted = self._run_waits or self._is_outdated(finished)
        self._run_waits = False
        self._store.set_activity(Activity.IDLE)
        if wanted:
            self.run()
        elif self._shown_job is not None and self._has_more(finished.kind):
            self._submit(Kind.RESOURCES, ResourcesRequest(self._shown_job), _RESOURCES_S)
        elif self._go_on_with_breakdown():
            pass
        elif self._store.selected_thread is not None:
            self._look_pause.start()

    def _timer(self, pause_ms: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(pause_ms)
        timer.timeout.connect(slot)
        return timer
