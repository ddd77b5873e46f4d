# SPDX-License-Identifier: MIT
"""``threadloom trace``."""

from __future__ import annotations

from dataclasses import replace

import typer

from threadloom.cli.job_options import JobOptions, takes_job
from threadloom.cli.shared_options import Deadline, Json


@takes_job
def command(options: JobOptions, json: Json = False, deadline: Deadline = 60.0) -> None:
    """See who touches what: coverage, sectors, bank conflicts, races, accesses out of bounds."""
    from threadloom.backends.base import EngineUnavailableError
    from threadloom.cli.ask import ask_run
    from threadloom.cli.console import print_json
    from threadloom.cli.run_document import has_fault, trace_to_document
    from threadloom.model.job import EngineChoice
    from threadloom.services.messages.run import RunRequest
    from threadloom.text import _

    job = options.job()
    if job.engine == EngineChoice.GPU:
        raise EngineUnavailableError(
            _("Single accesses cannot be observed on a GPU. Use the emulator.")
        )
    request = RunRequest(replace(job, engine=EngineChoice.EMULATOR), observe=True, timings=False)
    result = ask_run(request, deadline)
    if json:
        print_json(trace_to_document(result))
    else:
        from threadloom.cli.result_output import print_trace

        print_trace(result)
    raise typer.Exit(int(has_fault(result)))
