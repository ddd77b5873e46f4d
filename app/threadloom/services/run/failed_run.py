# SPDX-License-Identifier: MIT
"""The result of a run whose process came to harm."""

from __future__ import annotations

from threadloom.model.job import Job
from threadloom.model.provenance import Engine
from threadloom.services.doctor import Facts, diagnose
from threadloom.services.messages.run import RunProgress, RunResult
from threadloom.services.run.resolve import modeled_device, resolve
from threadloom.worker.outcome import Outcome


def failed_run(job: Job, outcome: Outcome, last: RunProgress | None = None) -> RunResult:
    """What can still be said: the launch, and what happened.

    ``last`` is what the run sent ahead; without it the device is the modeled one.

    Raises:
        JobError: If the job means nothing.
    """
    resolved = resolve(job)
    device = last.device if last and last.device else modeled_device(job.model)
    engine = last.engine if last and last.engine else Engine.EMULATOR
    facts = Facts(
        device=device,
        launch=resolved.launch,
        engine=engine,
        job=job,
        operation=resolved.operation,
        variant=resolved.variant,
        sizes=resolved.sizes,
        source=resolved.source,
        failure=outcome.message,
    )
    return RunResult(
        job=job,
        launch=resolved.launch,
        engine=engine,
        device=device,
        source=resolved.source,
        findings=diagnose(facts),
    )
