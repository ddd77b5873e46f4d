# SPDX-License-Identifier: MIT
"""``threadloom bench --over block`` and ``--over variant``."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps, loads
from pathlib import Path

from threadloom.cli.ask import ask_gpus, ask_launch_sweep
from threadloom.cli.console import complain, print_json
from threadloom.cli.launch_sweep_text import (
    launch_points,
    launch_sweep_document,
    print_launch_sweep,
)
from threadloom.cli.status import Status
from threadloom.cli.values import OptionError, read_dims
from threadloom.model.dim3 import Dim3
from threadloom.services.launch_choices import block_choices, variant_choices
from threadloom.services.request import (
    Job,
    LaunchChoice,
    LaunchPoint,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.resolve import find_operation, find_variant
from threadloom.text import _

OVER = ("size", "block", "variant")


def bench_launches(
    job: Job,
    over: str,
    blocks: str | None,
    devices: str | None,
    export: Sequence[Path],
    json: bool,
    deadline_s: float,
    resume: Path | None = None,
) -> int:
    """Make the sweep, print and write it; gives the exit status.

    Raises:
        OptionError: If an option cannot be read.
        RequestFailedError: If there is no result.
    """
    for file in export:
        if file.suffix.lower() != ".json":
            text = _("--export {file}: a sweep over launches is written as .json.")
            raise OptionError(text.format(file=file))
    done = () if resume is None else _done(job, resume)
    request = LaunchSweepRequest(job, _choices(job, over, blocks), done=done)
    result = ask_launch_sweep(request, _devices(devices), deadline_s)
    document = launch_sweep_document(result)
    for file in export:
        file.write_text(dumps(document, ensure_ascii=False, indent=1), "utf-8")
        complain(_("Wrote {file}").format(file=file))
    if json:
        print_json(document)
    else:
        print_launch_sweep(result)
    return _status(result)


def _done(job: Job, file: Path) -> tuple[LaunchPoint, ...]:
    """Points of an earlier sweep of the same job."""
    try:
        found_job, points = launch_points(loads(file.read_text("utf-8")))
    except OSError as error:
        text = _("--resume {file} cannot be read: {reason}")
        raise OptionError(text.format(file=file, reason=error.strerror)) from error
    except (ValueError, KeyError, TypeError) as error:
        text = _("--resume {file} holds no sweep over launches.")
        raise OptionError(text.format(file=file)) from error
    if found_job != job:
        text = _("--resume {file}: it holds another job's times.")
        raise OptionError(text.format(file=file))
    return points


def _status(result: LaunchSweepResult) -> Status:
    if any(point.matches is False for point in result.points):
        return Status.FAULT
    return Status.DONE if result.complete else Status.INTERRUPTED


def _choices(job: Job, over: str, blocks: str | None) -> tuple[LaunchChoice, ...]:
    operation = find_operation(job.operation, job.operations_folder)
    if over == "variant":
        return variant_choices(operation)
    if over != "block":
        text = _("--over {over}: it must be one of {known}.")
        raise OptionError(text.format(over=over, known=", ".join(OVER)))
    variant = find_variant(operation, job.variant)
    return block_choices(variant, operation.sizes(job.sizes), _blocks(blocks))


def _blocks(text: str | None) -> tuple[Dim3, ...]:
    found = [read_dims("--blocks", part) for part in (text or "").split()]
    return tuple(block for block in found if block is not None)


def _devices(text: str | None) -> tuple[int, ...]:
    """Numbers of the GPUs to share the work; empty to use the job's own engine."""
    if text is None:
        return ()
    if text.strip() == "all":
        return tuple(gpu.index for gpu in ask_gpus() if gpu.index is not None)
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isdigit() for part in parts):
        raise OptionError(
            _("--devices {text} cannot be read. Write all, or numbers: 0,1.").format(text=text)
        )
    return tuple(dict.fromkeys(int(part) for part in parts))
