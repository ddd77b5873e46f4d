# SPDX-License-Identifier: MIT
"""Have a request answered in a child process, with progress on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from threadloom.cli.console import messages
from threadloom.services.execute import handle
from threadloom.services.failed_run import failed_run
from threadloom.services.memory import limit_bytes
from threadloom.services.request import (
    Request,
    RunProgress,
    RunRequest,
    RunResult,
    SweepProgress,
    SweepRequest,
    SweepResult,
)
from threadloom.text import _, count, duration
from threadloom.worker.once import RequestFailedError, run_once
from threadloom.worker.outcome import Ending

_HARMED = {Ending.CRASHED, Ending.EXITED, Ending.DEADLINE, Ending.OUT_OF_MEMORY}

Report = Callable[[object], None]


def ask_run(request: RunRequest, deadline_s: float) -> RunResult:
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
            return cast("RunResult", _answer(request, deadline_s, note))
        except RequestFailedError as error:
            if error.outcome.ending not in _HARMED:
                raise
            return failed_run(request.job, error.outcome, last)


def ask_sweep(request: SweepRequest, deadline_s: float) -> SweepResult:
    """Make a sweep.

    Raises:
        RequestFailedError: If there is no result.
    """
    with _bar(len(request.sizes)) as report:
        return cast("SweepResult", _answer(request, deadline_s, report))


def _answer(request: Request, deadline_s: float, report: Report) -> object:
    return run_once(handle, request, deadline_s, report, memory_bytes=limit_bytes())


@contextmanager
def _status() -> Iterator[Report]:
    """A line that says the stage, where somebody can see it."""
    stages = {
        "compiling": _("Compiling"),
        "running": _("Running"),
        "observing": _("Observing in the emulator"),
        "timing": _("Timing"),
    }
    with messages().status(_("Starting")) as status:

        def report(message: object) -> None:
            if isinstance(message, RunProgress):
                status.update(stages.get(message.stage, message.stage))

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

        yield report


def _left(seconds: float | None) -> str:
    return "" if not seconds else _("about {time} left").format(time=duration(round(seconds, 1)))
