# SPDX-License-Identifier: MIT
"""``threadloom run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from threadloom.cli.job_options import JobOptions, takes_job
from threadloom.cli.shared_options import Deadline, Json
from threadloom.text import _


@takes_job
def command(
    options: JobOptions,
    json: Json = False,
    deadline: Deadline = 60.0,
    timings: Annotated[bool, typer.Option(help=_("Measure the kernel and the baselines."))] = True,
    timeline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=_("Write the block timeline to a .csv or .json file."),
        ),
    ] = None,
    breakdown: Annotated[
        bool,
        typer.Option(
            help=_("Measure the end-to-end breakdown: allocation, copies, kernel, streams.")
        ),
    ] = False,
) -> None:
    """Compile a kernel, launch it, and check the result against NumPy."""
    from threadloom.cli.ask import ask_run
    from threadloom.cli.console import print_json
    from threadloom.cli.export import check_blocks_file, write_blocks
    from threadloom.cli.run_document import has_fault, run_to_document
    from threadloom.services.messages.run import RunRequest

    if timeline is not None:
        check_blocks_file(timeline)
    request = RunRequest(
        options.job(), timings=timings, blocks=timeline is not None, breakdown=breakdown
    )
    result = ask_run(request, deadline)
    if timeline is not None:
        write_blocks(result, timeline)
    if json:
        print_json(run_to_document(result))
    else:
        from threadloom.cli.result_output import print_run

        print_run(result, breakdown=breakdown)
    raise typer.Exit(int(has_fault(result)))
