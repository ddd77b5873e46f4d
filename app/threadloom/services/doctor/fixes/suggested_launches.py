# SPDX-License-Identifier: MIT
"""Launches near the one that was asked for that the device takes and that leave nothing out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.finding import Fix
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, Message, _, binary_bytes, count, joined, ngettext
from threadloom.model.operation import Variant
from threadloom.services.doctor.context import DiagnosticContext
from threadloom.services.doctor.legality import is_legal, shared_of_block

BLOCKS = {
    1: (Dim3(256), Dim3(1024), Dim3(512), Dim3(128), Dim3(64), Dim3(32)),
    2: (Dim3(16, 16), Dim3(32, 32), Dim3(32, 8), Dim3(8, 8), Dim3(8, 32), Dim3(4, 256)),
    3: (Dim3(8, 8, 8), Dim3(8, 8, 4), Dim3(4, 4, 4), Dim3(32, 4, 2), Dim3(2, 8, 64)),
}
"""Blocks to offer, by the number of axes in use: usual ones first."""


def extents(dims: Dim3) -> Message:
    """Extents for a user: ``256``, ``16 × 16``."""
    return joined((count(value) for value in tuple(dims)[: dims.rank]), " × ")


def describe(launch: Launch) -> Message:
    """A launch as the text of a button: ``1,954 blocks of 256``."""
    text = ngettext("{blocks} block of {block}", "{blocks} blocks of {block}", launch.blocks)
    return text.format(blocks=count(launch.blocks), block=extents(launch.block))


def launch_with(context: DiagnosticContext, block: Dim3, variant: Variant | None = None) -> Launch:
    """The launch of this block whose grid reaches all that is to be reached.

    Without an operation, as many threads along each axis as were asked for, at least.
    """
    chosen = variant or context.ruled_variant
    if chosen is None:
        return Launch(
            _same_threads(context.run.launch, block), block, context.run.launch.shared_bytes
        )
    grid = chosen.rule.grid(context.sizes, block)
    return Launch(grid, block, _shared(context, chosen, block))


def _same_threads(launch: Launch, block: Dim3) -> Dim3:
    pairs = zip(launch.grid, launch.block, block, strict=True)
    return Dim3(*(max(1, ceil_div(max(1, g) * max(1, b), new)) for g, b, new in pairs))


def _shared(context: DiagnosticContext, variant: Variant, block: Dim3) -> int:
    """What the rule asks for, or what was chosen by hand, whichever is larger and still needed."""
    needed = variant.rule.shared_bytes(context.sizes, block, context.item_bytes)
    chosen = context.run.job.shared_bytes
    return (
        needed if chosen is None else max(needed, min(chosen, context.run.device.shared_per_block))
    )


def works(context: DiagnosticContext, launch: Launch, variant: Variant | None = None) -> bool:
    """Whether the device takes the launch, the kernel is written for it, and it covers all."""
    chosen = variant or context.ruled_variant
    own = chosen is context.ruled_variant
    if not is_legal(launch, context.run.device, context.run.resources if own else None):
        return False
    if shared_of_block(launch, None) > context.most_shared:
        return False
    if chosen is None:
        return True
    return not chosen.rule.block_valid(launch.block) and covers(context, launch, chosen)


def covers(context: DiagnosticContext, launch: Launch, variant: Variant) -> bool:
    """Whether the variant's rule asks for no more than this launch has, along no other axes."""
    needed, least = (
        variant.rule.grid(context.sizes, launch.block),
        variant.rule.block(context.sizes),
    )
    if any(have < need for have, need in zip(launch.grid, needed, strict=True)):
        return False
    if max(launch.grid.rank, launch.block.rank) > max(needed.rank, least.rank):
        return False
    if variant.max_elements is None:
        return True
    fits = all(have >= need for have, need in zip(launch.block, least, strict=True))
    return fits and (context.elements or 0) <= variant.max_elements


def candidates(context: DiagnosticContext, variant: Variant | None = None) -> Iterator[Dim3]:
    """Blocks worth trying for a variant, or for the asked launch, usual ones first."""
    chosen = variant or context.ruled_variant
    if chosen is None:
        yield from BLOCKS[context.run.launch.block.rank]
        return
    default = chosen.rule.block(context.sizes)
    if chosen.max_elements is not None:
        yield default
        return
    usual = BLOCKS[default.rank]
    if default not in usual:
        yield default
    yield from usual


def fixed(
    context: DiagnosticContext, most: int = 2, variant: Variant | None = None
) -> Iterator[Fix]:
    """Up to ``most`` fixes that change block and grid, each a launch that works."""
    chosen = variant or context.ruled_variant
    given = 0
    for block in candidates(context, chosen):
        launch = launch_with(context, block, chosen)
        if given < most and launch != context.run.launch and works(context, launch, chosen):
            given += 1
            yield to_launch(context, launch, chosen)


def to_launch(
    context: DiagnosticContext,
    launch: Launch,
    variant: Variant | None = None,
    title: Message = NOTHING,
) -> Fix:
    """The fix that leads from the asked launch, and variant, to another."""
    chosen = variant or context.ruled_variant
    switched = chosen is not None and chosen is not context.ruled_variant
    ruled = chosen is not None and launch.grid == chosen.rule.grid(context.sizes, launch.block)
    return Fix(
        title=title or _change(context, launch),
        grid=launch.grid if launch.grid != context.run.launch.grid or ruled else None,
        block=launch.block if launch.block != context.run.launch.block else None,
        shared_bytes=_changed_shared(context, launch, chosen),
        variant=chosen.name if chosen is not None and switched else None,
        grid_follows_size=True if ruled else None,
    )


def _change(context: DiagnosticContext, launch: Launch) -> Message:
    same = (launch.grid, launch.block) == (context.run.launch.grid, context.run.launch.block)
    if not same or launch.shared_bytes == context.run.launch.shared_bytes:
        return describe(launch)
    size = binary_bytes(launch.shared_bytes)
    return _("Set shared memory to {size}").format(size=size)


def _changed_shared(
    context: DiagnosticContext, launch: Launch, variant: Variant | None
) -> int | None:
    """None where the rule gives it anyway, so that it goes on following the block."""
    by_hand = variant is None or context.run.job.shared_bytes is not None
    changed = launch.shared_bytes != context.run.launch.shared_bytes
    return launch.shared_bytes if by_hand and changed else None


def switching(context: DiagnosticContext) -> Variant | None:
    """The variant to go over to where the chosen one cannot cover the problem."""
    if context.known.operation is None or context.variant is None or context.edited:
        return None
    if context.variant.max_elements is None:
        return None
    if (context.elements or 0) <= context.variant.max_elements:
        return None
    free = [v for v in context.known.operation.variants if v.max_elements is None]
    return next((v for v in free if v.name == "grid"), free[0] if free else None)


def suggested_launches(context: DiagnosticContext, most: int = 2) -> tuple[Fix, ...]:
    """Fixes for a launch that is refused or leaves something out.

    They go to another variant if the chosen one has too little reach.
    """
    return tuple(fixed(context, most, switching(context)))


def reaching_all(context: DiagnosticContext) -> tuple[Fix, ...]:
    """Fixes for a launch that leaves elements out, if its variant's rule can be trusted.

    More blocks of the same kind if that helps, else other blocks or another variant.
    """
    if context.ruled_variant is None:
        return ()
    launch = launch_with(context, context.run.launch.block)
    same = [] if switching(context) else [(use_blocks(context, launch.grid), launch)]
    helps = first_working(context, same) if launch != context.run.launch else ()
    return tuple(helps) or suggested_launches(context)


def first_working(
    context: DiagnosticContext, launches: Iterable[tuple[Message, Launch]]
) -> Iterator[Fix]:
    """Fixes for those of the titled launches that work."""
    for title, launch in launches:
        if works(context, launch):
            yield to_launch(context, launch, title=title)


def use_blocks(context: DiagnosticContext, grid: Dim3) -> Message:
    """Text for a grid alone: ``Use 4 blocks``."""
    blocks = count(grid.count) if grid.rank == 1 else extents(grid)
    return _("Use {blocks} blocks").format(blocks=blocks)


def halved(block: Dim3, most: int) -> Iterator[Dim3]:
    """The block halved along its longest axis until it fits, and halved once more."""
    while block.count > 1:
        longest = max(block)
        axes = list(block)
        axes[axes.index(longest)] = ceil_div(longest, 2)
        block = Dim3(*axes)
        if block.count <= most:
            yield block
