# SPDX-License-Identifier: MIT
"""The record of a run whose process crashed, exited or was stopped."""

from __future__ import annotations

from dataclasses import replace

from threadloom.model.job import Job
from threadloom.model.provenance import Engine
from threadloom.model.run import Run, Target
from threadloom.services.doctor import Known, diagnose, in_order
from threadloom.services.messages.run import RunProgress
from threadloom.services.run.resolve import modeled_device, resolve
from threadloom.worker.outcome import Outcome


def failed_run(
    job: Job, outcome: Outcome, last: RunProgress | None = None, ahead: Run | None = None
) -> Run:
    """What can still be said: the launch, what happened, and what the run sent ahead.

    Without ``last`` the device is the modeled one. Of ``ahead`` only the times are missing.

    Raises:
        JobError: If the job means nothing.
    """
    resolved = resolve(job)
    device = last.device if last and last.device else modeled_device(job.model)
    engine = last.engine if last and last.engine else Engine.EMULATOR
    run = Run(
        job=replace(job, sizes=dict(resolved.sizes), variant=resolved.variant.name),
        target=Target(resolved.launch, device, engine, resolved.source),
        failure=outcome.message,
    )
    findings = diagnose(run, Known(resolved.operation))
    if ahead is None:
        return replace(run, findings=findings)
    known = {finding.kind for finding in findings}
    kept = [finding for finding in ahead.findings if finding.kind not in known]
    return replace(ahead, failure=run.failure, findings=in_order((*findings, *kept)))
