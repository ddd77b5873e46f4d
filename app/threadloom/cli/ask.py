# SPDX-License-Identifier: MIT
"""Have a request answered in a child process, with progress on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from threadloom.cli.console import messages
from threadloom.model.device import DeviceModel
from threadloom.model.run import Run
from threadloom.presentation.stage_text import stage_text
from threadloom.services.bench.sharding import (
    AnyProgress,
    AnyResult,
    AnySweep,
    dealt,
    progress_together,
    together,
)
from threadloom.services.devices.memory import limit_bytes
from threadloom.services.messages.devices import DevicesRequest, DevicesResult
from threadloom.services.messages.launch_sweep import (
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.messages.message import Request
from threadloom.services.messages.run import RunProgress, RunRequest
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.services.run.failed_run import failed_run
from threadloom.services.worker_entry import handle
from threadloom.text import _, count, duration
from threadloom.worker.once import RequestFailedError, run_once
from threadloom.worker.outcome import Ending
from threadloom.worker.supervisor import GRACE_S
from threadloom.worker.together import run_together

_HARMED = {Ending.CRASHED, Ending.EXITED, Ending.DEADLINE, Ending.OUT_OF_MEMORY}

NAMING_S = 1.0
"""At least so much later than the emulator the child is stopped: the former can name the line."""
POINT_S = 15.0
"""What a sweep that is stopped may take to end the size in hand: the others' times are kept."""

Report = Callable[[object], None]


def ask_run(request: RunRequest, deadline_s: float) -> Run:
    """Make a run; a kernel that crashes or never ends is a finding of its result.

    Raises:
        RequestFailedError: If there is no result for another reason.
    """
    last: RunProgress | None = None

    def note(message: object) -> None:
        nonlocal last
        if isinstance(message, RunProgress):
            last = message
        report(message)

    with _status() as report:
        try:
            limited = replace(request, kernel_limit_s=deadline_s)
            patience_s = deadline_s + max(NAMING_S, deadline_s / 10)
            return cast("Run", _answer(limited, patience_s, note))
        except RequestFailedError as error:
            outcome = error.outcome
            if outcome.ending not in _HARMED:
                raise
            if outcome.ending is Ending.DEADLINE:
                outcome = replace(outcome, limit_s=deadline_s)
            return failed_run(request.job, outcome, last)


def ask_sweep(request: SweepRequest, deadline_s: float, devices: Sequence[int] = ()) -> SweepResult:
    """Make a sweep over sizes; on several GPUs, each with a child of its own.

    Raises:
        RequestFailedError: If there is no result.
    """
    with _bar(len(request.sizes)) as report:
        return cast("SweepResult", _spread(request, devices, deadline_s, report))


def ask_launch_sweep(
    request: LaunchSweepRequest, devices: Sequence[int], deadline_s: float
) -> LaunchSweepResult:
    """Make a sweep over launches, in the same way.

    Raises:
        RequestFailedError: If there is no result.
    """
    with _bar(len(request.choices)) as report:
        return cast("LaunchSweepResult", _spread(request, devices, deadline_s, report))


def _spread(request: AnySweep, devices: Sequence[int], deadline_s: float, report: Report) -> object:
    if not devices:
        return _answer(request, deadline_s, report)
    told: dict[int, AnyProgress] = {}

    def note(number: int, message: object) -> None:
        if isinstance(message, SweepProgress | LaunchSweepProgress):
            told[number] = message
            report(progress_together(request, list(told.values())))

    parts = dealt(request, devices)
    found = run_together(handle, parts, deadline_s, note, memory_bytes=limit_bytes())
    return together(request, cast("list[AnyResult]", found))


def ask_gpus() -> tuple[DeviceModel, ...]:
    """The GPUs that are here.

    Raises:
        RequestFailedError: If looking for them fails.
    """
    with _status() as report:
        return cast("DevicesResult", _answer(DevicesRequest(), 60.0, report)).gpus


def _answer(request: Request, deadline_s: float, report: Report) -> object:
    grace_s = POINT_S if isinstance(request, SweepRequest | LaunchSweepRequest) else GRACE_S
    return run_once(
        handle, request, deadline_s, report, memory_bytes=limit_bytes(), grace_s=grace_s
    )


@contextmanager
def _status() -> Iterator[Report]:
    """A line that says the stage, where somebody can see it."""
    with messages().status(_("Starting")) as status:

        def report(message: object) -> None:
            if isinstance(message, RunProgress):
                status.update(stage_text(message.stage))

        yield report


@contextmanager
def _bar(total: int) -> Iterator[Report]:
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=messages(), transient=True) as progress:
        task = progress.add_task(_("Starting"), total=total, left="")

        def report(message: object) -> None:
            if isinstance(message, SweepProgress):
                progress.update(
                    task,
                    completed=message.done,
                    description=_("{done} of {total} sizes").format(
                        done=count(message.done), total=count(message.total)
                    ),
                    left=_left(message.left_s),
                )
            if isinstance(message, LaunchSweepProgress):
                text = _("{done} of {total} launches")
                words = text.format(done=count(message.done), total=count(message.total))
                progress.update(task, completed=message.done, description=words)

        yield report


def _left(seconds: float | None) -> str:
    return "" if not seconds else _("about {time} left").format(time=duration(round(seconds, 1)))
