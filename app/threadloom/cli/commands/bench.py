# SPDX-License-Identifier: MIT
"""``threadloom bench``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from threadloom.cli.job_options import JobOptions, takes_job
from threadloom.cli.numbers import number, whole
from threadloom.cli.shared_options import Deadline, Json
from threadloom.text import _

if TYPE_CHECKING:
    from threadloom.model.job import Job
    from threadloom.services.messages.sweep import SweepResult


@takes_job
def command(
    options: JobOptions,
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="LOW..HIGH",
            help=_("Range or list of sizes, such as 64..512, 1e3..1e8 or 100,200,400."),
        ),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole(2, 200), help=_("Number of sizes in a range.")),
    ] = None,
    export: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help=_("Output file: .png, .svg, .pdf, .csv or .json. Repeatable.")
        ),
    ] = None,
    max_time: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            parser=number(0),
            help=_("Skip sizes whose single run takes longer."),
        ),
    ] = 10.0,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=_("Resume a previous sweep from its file.")),
    ] = None,
    baselines: Annotated[
        str,
        typer.Option(
            metavar="default|all",
            help=_("Baselines to measure; all adds the C loop on all threads, CuPy and PyTorch."),
        ),
    ] = "default",
    all_baselines: Annotated[
        bool, typer.Option("--all-baselines", hidden=True)  # name of version 0.1
    ] = False,
    vary: Annotated[
        str,
        typer.Option(metavar="size|block|variant", help=_("Parameter to vary.")),
    ] = "size",
    blocks: Annotated[
        str | None,
        typer.Option(
            metavar="LIST", help=_("Blocks for --vary block, such as 64 128 256 or 8,8 16,16 32,8.")
        ),
    ] = None,
    devices: Annotated[
        str | None,
        typer.Option(
            metavar="all|LIST",
            help=_("GPUs to shard the sweep over. With --vary size, only the kernel is timed."),
        ),
    ] = None,
    json: Json = False,
    deadline: Deadline = 3600.0,
) -> None:
    """Measure baselines and the kernel over sizes, blocks or variants."""
    from threadloom.cli.ask import ask_sweep
    from threadloom.cli.bench_inputs import chosen_devices, earlier
    from threadloom.cli.bench_launches import bench_launches, check_baselines, check_vary
    from threadloom.cli.console import print_json
    from threadloom.cli.export import check_files, export_record
    from threadloom.model.timing.samples import BASELINES, USUAL_BASELINES
    from threadloom.services.export import document_of
    from threadloom.services.messages.sweep import SweepRequest, SweepResult

    every = check_baselines(baselines) or all_baselines
    check_vary(vary, sizes=sizes, points=points, baselines=every, blocks=blocks)
    if vary != "size":
        raise typer.Exit(
            bench_launches(
                options.job(), vary, blocks, devices, export or [], json, deadline, resume
            )
        )
    files = check_files(export or [])
    job = options.job()
    chosen = _sizes(job, sizes, points)
    done = () if resume is None else earlier(resume, job, SweepResult).series
    request = SweepRequest(
        job,
        chosen,
        skip_above_s=max_time,
        baselines=BASELINES if every else USUAL_BASELINES,
        done=done,
    )
    result = ask_sweep(request, deadline, chosen_devices(devices))
    for file in files:
        export_record(result, file)
    if json:
        print_json(document_of(result))
    else:
        from threadloom.cli.result_output import print_sweep

        print_sweep(result)
    raise typer.Exit(_status(result))


def _status(result: SweepResult) -> int:
    from threadloom.cli.status import Status

    if result.all_match is False:
        return Status.FAULT
    return Status.DONE if result.complete else Status.INTERRUPTED


def _sizes(job: Job, text: str | None, points: int | None) -> tuple[int, ...]:
    from threadloom.cli.values import OptionError
    from threadloom.services.bench.sizes import SizeTextError, read_sizes, usual_sizes
    from threadloom.services.run.resolve import find_operation

    if text is None:
        return usual_sizes(find_operation(job.operation, job.operations_folder))
    try:
        return read_sizes(text, points)
    except SizeTextError as error:
        raise OptionError(f"--sizes {text}: {error}") from error
