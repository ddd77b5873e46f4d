# SPDX-License-Identifier: MIT
"""The choices that make a job, or an earlier run again."""

from __future__ import annotations

from threadloom.model.job import Job
from threadloom.model.launch import Launch
from threadloom.model.run import Run
from threadloom.services.storage.workspace import Workspace


def restored(workspace: Workspace, result: Run) -> Workspace:
    """The choices that lead to this run again; Live and the like stay as they are."""
    file = workspace.source_file if result.job.source == workspace.source else None
    return with_job(workspace, result.job, result.launch, file)


def with_job(
    workspace: Workspace, job: Job, launch: Launch, source_file: str | None = None
) -> Workspace:
    """The choices that make this job, with the launch that it comes to."""
    return workspace.with_(
        operation=job.operation,
        variant=job.variant,
        sizes=dict(job.sizes),
        dtype=job.dtype,
        block=launch.block,
        grid=launch.grid,
        grid_follows_size=job.grid is None,
        shared_bytes=job.shared_bytes,
        engine=job.engine,
        device=job.device,
        model=job.model,
        seed=job.seed,
        source=job.source,
        entry=job.entry,
        source_file=source_file,
    )
