# SPDX-License-Identifier: MIT
"""How one choice changes the others: pure functions from workspace to workspace."""

from __future__ import annotations

from threadloom.model.dim3 import Dim3
from threadloom.model.job import EngineChoice
from threadloom.model.operation import Operation, Variant
from threadloom.services.storage.workspace import Workspace


def choose_operation(workspace: Workspace, operation: Operation) -> Workspace:
    """Go over to an operation with its default sizes, first variant and that one's launch."""
    if operation.name == workspace.operation:
        return workspace
    dtype = workspace.dtype if workspace.dtype in operation.dtypes else operation.dtypes[0]
    moved = workspace.with_(
        operation=operation.name,
        sizes=operation.sizes({}),
        dtype=dtype,
        source=None,
        entry=None,
        source_file=None,
    )
    return _with_defaults(moved, operation, usual_variant(operation))


def usual_variant(operation: Operation) -> Variant:
    """The variant to begin with: the first that can cover a problem of any size."""
    unbounded = [v for v in operation.variants if v.max_elements is None]
    return (unbounded or list(operation.variants))[0]


def choose_variant(workspace: Workspace, operation: Operation, variant: Variant) -> Workspace:
    """Go over to a variant; the block is kept if that one can take it and reach everything."""
    moved = workspace.with_(
        variant=variant.name, source=None, entry=None, source_file=None, shared_bytes=None
    )
    old = [v for v in operation.variants if v.name == workspace.variant]
    bounded = variant.max_elements is not None or any(v.max_elements is not None for v in old)
    default = variant.rule.block(workspace.sizes)
    fits = not variant.rule.block_valid(workspace.block) if min(workspace.block) > 0 else False
    if bounded or not fits or default.rank != workspace.block.rank:
        return _with_defaults(moved, operation, variant)
    return moved.with_(grid_follows_size=True)


def choose_launch(
    workspace: Workspace, operation: Operation, variant: Variant, block: Dim3
) -> Workspace:
    """Go over to a variant with this block; the grid follows the size."""
    same = variant.name == workspace.variant
    moved = workspace
    if not same:
        moved = workspace.with_(
            variant=variant.name, source=None, entry=None, source_file=None, shared_bytes=None
        )
    sizes = operation.sizes(workspace.sizes)
    grid = variant.rule.grid(sizes, block)
    return moved.with_(block=block, grid=grid, grid_follows_size=True)


def reset_launch(workspace: Workspace, operation: Operation, variant: Variant) -> Workspace:
    """Back to the variant's own source, sizes and launch."""
    fresh = workspace.with_(sizes=operation.sizes({}), source=None, entry=None, source_file=None)
    return _with_defaults(fresh, operation, variant)


def choose_device(workspace: Workspace, key: str) -> Workspace:
    """Take what a key of the device list stands for: ``gpu:0`` or ``model:RTX 4090``."""
    kind, _sign, name = key.partition(":")
    if kind == "gpu":
        return workspace.with_(engine=EngineChoice.GPU, device=int(name))
    return workspace.with_(engine=EngineChoice.EMULATOR, model=name)


def _with_defaults(workspace: Workspace, operation: Operation, variant: Variant) -> Workspace:
    sizes = operation.sizes(workspace.sizes)
    block = variant.rule.block(sizes)
    return workspace.with_(
        variant=variant.name,
        sizes=sizes,
        block=block,
        grid=variant.rule.grid(sizes, block),
        grid_follows_size=True,
        shared_bytes=None,
    )
