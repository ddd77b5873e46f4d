# SPDX-License-Identifier: MIT
"""Works out a launch preview from the choices and from what the last run has told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from threadloom.model.device import DeviceModel
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Occupancy, occupancy
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Resources
from threadloom.model.provenance import Engine
from threadloom.model.run import Compilation, Run, Target
from threadloom.presentation.catalog import Catalog
from threadloom.presentation.launch_preview import LaunchPreview
from threadloom.presentation.parsed_source import chosen_kernel, chosen_source
from threadloom.services.doctor import Known, diagnose
from threadloom.services.messages.devices import DevicesResult
from threadloom.services.storage.workspace import Workspace


def launch_preview(
    workspace: Workspace,
    catalog: Catalog,
    here: DevicesResult | None,
    last: Run | None,
) -> LaunchPreview:
    """Hold the chosen launch against the chosen device."""
    operation, variant = catalog.operation(workspace), catalog.variant(workspace)
    device = catalog.device(workspace, here)
    launch = chosen_launch(workspace, operation, variant)
    known = last is not None and _same_kernel(workspace, last) and last.device == device
    resources = last.resources if last is not None and known else None
    source = chosen_source(workspace, operation, variant)
    signature = chosen_kernel(workspace, variant, source)
    engine = Engine.GPU if device.index is not None else Engine.EMULATOR
    foreseen = Run(
        job=replace(workspace.job(), operation=operation.name, variant=variant.name),
        target=Target(launch, device, engine, source),
        compilation=Compilation(signature=signature, resources=resources),
    )
    return LaunchPreview(
        workspace=workspace,
        operation=operation,
        variant=variant,
        device=device,
        launch=launch,
        source=source,
        signature=signature,
        resources=resources,
        guarded=_guarded(last) if known else None,
        occupancy=_occupancy(device, launch, resources),
        findings=diagnose(foreseen, Known(operation)),
    )


def chosen_launch(workspace: Workspace, operation: Operation, variant: Variant) -> Launch:
    """The launch that the choices come to, whether CUDA would take it or not."""
    sizes = operation.sizes(workspace.sizes)
    grid = workspace.grid
    sound = min(workspace.block) > 0 and min(sizes.values()) > 0
    if workspace.grid_follows_size and sound:
        grid = variant.rule.grid(sizes, workspace.block)
    shared = workspace.shared_bytes
    if shared is None:
        shared = _ruled_shared(workspace, sizes, variant) if sound else 0
    return Launch(grid, workspace.block, shared)


def _ruled_shared(workspace: Workspace, sizes: dict[str, int], variant: Variant) -> int:
    item = np.dtype(workspace.dtype).itemsize
    return variant.rule.shared_bytes(sizes, workspace.block, item)


def _occupancy(
    device: DeviceModel, launch: Launch, resources: Resources | None
) -> Occupancy | None:
    if min(launch.block) < 1 or launch.block.count > device.max_threads_per_block:
        return None
    return occupancy(device, launch, resources or Resources())


def _guarded(last: Run | None) -> bool | None:
    if last is None or last.trace is None:
        return None
    return last.trace.oob_threads == 0


def _same_kernel(workspace: Workspace, last: Run) -> bool:
    """Whether what was compiled then is what would be compiled now."""
    job = last.job
    now = (workspace.operation, workspace.variant, workspace.dtype, workspace.source)
    return now == (job.operation, job.variant, job.dtype, job.source)
