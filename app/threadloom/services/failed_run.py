# SPDX-License-Identifier: MIT
"""The result of a run whose process came to harm."""

from __future__ import annotations

from threadloom.model.provenance import Engine
from threadloom.services.diagnose import Facts, diagnose
from threadloom.services.request import Job, RunResult
from threadloom.services.resolve import modelled_device, resolve
from threadloom.worker.outcome import Outcome


def failed_run(job: Job, outcome: Outcome) -> RunResult:
    """What can still be said: the launch, and what happened.

    Raises:
        JobError: If the job means nothing.
    """
    resolved = resolve(job)
    device = modelled_device(job.model)
    engine = Engine.GPU if job.engine == "gpu" else Engine.EMULATOR
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
