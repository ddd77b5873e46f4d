# SPDX-License-Identifier: MIT
"""``threadloom bench --vary block`` and ``--vary variant``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from threadloom.cli.ask import ask_launch_sweep
from threadloom.cli.bench_inputs import chosen_devices, earlier
from threadloom.cli.console import print_json
from threadloom.cli.export import check_files, export_record
from threadloom.cli.result_output import print_launch_sweep
from threadloom.cli.status import Status
from threadloom.cli.values import OptionError, read_dims
from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.services.bench.launch_choices import block_choices, variant_choices
from threadloom.services.export import document_of
from threadloom.services.messages.launch_sweep import (
    LaunchChoice,
    LaunchSweepRequest,
    LaunchSweepResult,
)
from threadloom.services.run.resolve import find_operation, find_variant
from threadloom.text import _

VARIED = ("size", "block", "variant")
_OPTIONS = {"sizes": "size", "points": "size", "baselines": "size", "blocks": "block"}
"""Options that apply to one parameter only."""


def bench_launches(
    job: Job,
    vary: str,
    blocks: str | None,
    devices: str | None,
    export: Sequence[Path],
    json: bool,
    max_time_s: float,
    resume: Path | None = None,
) -> int:
    """Run the sweep, print and write it; return the exit status.

    Raises:
        OptionError: If an option cannot be read.
        RequestFailedError: If there is no result.
    """
    files = check_files(export)
    done = () if resume is None else earlier(resume, job, LaunchSweepResult).points
    request = LaunchSweepRequest(job, _choices(job, vary, blocks), done=done)
    result = ask_launch_sweep(request, chosen_devices(devices), max_time_s)
    for file in files:
        export_record(result, file)
    if json:
        print_json(document_of(result))
    else:
        print_launch_sweep(result)
    return _status(result)


def check_baselines(baselines: str) -> bool:
    """Whether all baselines are requested.

    Raises:
        OptionError: If the value is unknown.
    """
    known = ("default", "all")
    if baselines not in known:
        text = _("--baselines {baselines}: expected one of {known}.")
        raise OptionError(text.format(baselines=baselines, known=", ".join(known)))
    return baselines == "all"


def check_vary(vary: str, **given: object) -> None:
    """Reject options that do not apply to the varied parameter.

    Args:
        vary: Parameter to vary.
        given: The sweep's options by name; None or False for what is not given.

    Raises:
        OptionError: If an option does not apply, or the parameter is unknown.
    """
    if vary not in VARIED:
        text = _("--vary {vary}: expected one of {known}.")
        raise OptionError(text.format(vary=vary, known=", ".join(VARIED)))
    for name, value in given.items():
        required = _OPTIONS[name]
        if value and required != vary:
            text = _("--{option} requires --vary {required}; it was given with --vary {vary}.")
            raise OptionError(text.format(option=name, required=required, vary=vary))


def _status(result: LaunchSweepResult) -> Status:
    """A fault too where every launch was refused."""
    if result.points and all(point.skipped for point in result.points):
        return Status.FAULT
    if any(point.matches is False for point in result.points):
        return Status.FAULT
    return Status.DONE if result.complete else Status.INTERRUPTED


def _choices(job: Job, vary: str, blocks: str | None) -> tuple[LaunchChoice, ...]:
    operation = find_operation(job.operation, job.operations_folder)
    if vary == "variant":
        return variant_choices(operation)
    variant = find_variant(operation, job.variant)
    return block_choices(variant, operation.sizes(job.sizes), _blocks(blocks))


def _blocks(text: str | None) -> tuple[Dim3, ...]:
    found = [read_dims("--blocks", part) for part in (text or "").split()]
    return tuple(block for block in found if block is not None)
