# SPDX-License-Identifier: MIT
"""What a sweep goes over and with which launches, in words."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.job import Job
from threadloom.model.message import NOTHING, Message, _, literal
from threadloom.model.operation import Operation
from threadloom.services.doctor.fixes.suggested_launches import extents
from threadloom.services.messages.sweep import SweepRequest
from threadloom.services.run.resolve import bare_size, find_variant


def axis_text(operation: Operation) -> Message:
    """Name what a sweep goes over: ``n, elements``, or ``m = n = k`` where one size sets all."""
    axes = [axis for axis in operation.axes if axis.set_by_bare_size]
    if len(axes) == 1:
        title = _(axes[0].title)
        return (
            _("{name}, {title}").format(name=axes[0].name, title=title)
            if title
            else literal(axes[0].name)
        )
    return literal(" = ".join(axis.name for axis in axes))


def launch_text(request: SweepRequest, operation: Operation) -> Message:
    """Say with which block and grid each size is launched."""
    blocks = {_block(request.job, operation, size) for size in request.sizes}
    block = extents(blocks.pop()) if len(blocks) == 1 else NOTHING
    grid = request.job.grid
    if not block:
        return _("variant's default block, grid follows size")
    if grid is None:
        return _("{threads} threads per block, grid follows size").format(threads=block)
    return _("{threads} threads per block, {blocks} blocks at every size").format(
        threads=block, blocks=extents(grid)
    )


def _block(job: Job, operation: Operation, size: int) -> Dim3:
    if job.block is not None:
        return job.block
    sizes = operation.sizes({**job.sizes, **bare_size(operation, size)})
    return find_variant(operation, job.variant).rule.block(sizes)
