# SPDX-License-Identifier: MIT
"""Have a request answered in a child process, with progress on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from threadloom.cli.console import messages
from threadloom.model.device import DeviceModel
from threadloom.model.run import Run
from threadloom.presentation.stage_text import stage_text
from threadloom.services import client
from threadloom.services.messages.devices import DevicesRequest, DevicesResult
from threadloom.services.messages.launch_sweep import (
    LaunchSweepProgress,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.messages.run import RunProgress, RunRequest
from threadloom.services.messages.sweep import SweepProgress, SweepRequest, SweepResult
from threadloom.text import _, count, duration

_DEVICES_S = 60.0

Report = Callable[[object], None]


def ask_run(request: RunRequest, max_time_s: float) -> Run:
    """Make a run; a kernel that crashes or never ends is a finding of its result.

    Raises:
        RequestFailedError: If there is no result for another reason.
    """
    with _status() as report:
        return cast("Run", client.ask(request, max_time_s, report))


def ask_sweep(request: SweepRequest, max_time_s: float, devices: Sequence[int] = ()) -> SweepResult:
    """Make a sweep over sizes; on several GPUs, each with a child of its own.

    Raises:
        RequestFailedError: If there is no result.
    """
    with _bar(len(request.sizes)) as report:
        return cast("SweepResult", client.ask(request, max_time_s, report, devices=devices))


def ask_launch_sweep(
    request: LaunchSweepRequest, devices: Sequence[int], max_time_s: float
) -> LaunchSweepResult:
    """Make a sweep over launches, in the same way.

    Raises:
        RequestFailedError: If there is no result.
    """
    with _bar(len(request.choices)) as report:
        return cast("LaunchSweepResult", client.ask(request, max_time_s, report, devices=devices))


def ask_devices() -> DevicesResult:
    """What is here.

    Raises:
        RequestFailedError: If looking for it fails.
    """
    with _status() as report:
        return cast("DevicesResult", client.ask(DevicesRequest(), _DEVICES_S, report))


def ask_gpus() -> tuple[DeviceModel, ...]:
    """The GPUs that are here.

    Raises:
        RequestFailedError: If looking for them fails.
    """
    return ask_devices().gpus


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
