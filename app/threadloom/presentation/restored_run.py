# SPDX-License-Identifier: MIT
"""Go back to the launch of an earlier run."""

from __future__ import annotations

from threadloom.model.run import Run
from threadloom.services.storage.workspace import Workspace


def restored(workspace: Workspace, result: Run) -> Workspace:
    """The choices that lead to this run again; Live and the like stay as they are."""
    job = result.job
    return workspace.with_(
        operation=job.operation,
        variant=job.variant,
        sizes=dict(job.sizes),
        dtype=job.dtype,
        block=result.launch.block,
        grid=result.launch.grid,
        grid_follows_size=job.grid is None,
        shared_bytes=job.shared_bytes,
        engine=job.engine,
        device=job.device,
        model=job.model,
        seed=job.seed,
        source=job.source,
        entry=job.entry,
        source_file=workspace.source_file if job.source == workspace.source else None,
    )
