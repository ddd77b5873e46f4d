# SPDX-License-Identifier: MIT
"""Launches near the one that was asked for that the device takes and that leave nothing out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.finding import Fix
from threadloom.model.launch import Launch
from threadloom.model.message import NOTHING, Message, _, binary_bytes, count, joined, ngettext
from threadloom.model.operation import Variant
from threadloom.services.doctor.context import Facts
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


def launch_with(facts: Facts, block: Dim3, variant: Variant | None = None) -> Launch:
    """The launch of this block whose grid reaches all that is to be reached.

    Without an operation, as many threads along each axis as were asked for, at least.
    """
    chosen = variant or facts.ruled_variant
    if chosen is None:
        return Launch(_same_threads(facts.launch, block), block, facts.launch.shared_bytes)
    grid = chosen.rule.grid(facts.sizes, block)
    return Launch(grid, block, _shared(facts, chosen, block))


def _same_threads(launch: Launch, block: Dim3) -> Dim3:
    pairs = zip(launch.grid, launch.block, block, strict=True)
    return Dim3(*(max(1, ceil_div(max(1, g) * max(1, b), new)) for g, b, new in pairs))


def _shared(facts: Facts, variant: Variant, block: Dim3) -> int:
    """What the rule asks for, or what was chosen by hand, whichever is larger and still needed."""
    needed = variant.rule.shared_bytes(facts.sizes, block, facts.item_bytes)
    chosen = facts.job.shared_bytes if facts.job else None
    return needed if chosen is None else max(needed, min(chosen, facts.device.shared_per_block))


def works(facts: Facts, launch: Launch, variant: Variant | None = None) -> bool:
    """Whether the device takes the launch, the kernel is written for it, and it covers all."""
    chosen = variant or facts.ruled_variant
    own = chosen is facts.ruled_variant
    if not is_legal(launch, facts.device, facts.resources if own else None):
        return False
    if shared_of_block(launch, None) > facts.most_shared:
        return False
    if chosen is None:
        return True
    return not chosen.rule.block_valid(launch.block) and covers(facts, launch, chosen)


def covers(facts: Facts, launch: Launch, variant: Variant) -> bool:
    """Whether the variant's rule asks for no more than this launch has, along no other axes."""
    needed, least = variant.rule.grid(facts.sizes, launch.block), variant.rule.block(facts.sizes)
    if any(have < need for have, need in zip(launch.grid, needed, strict=True)):
        return False
    if max(launch.grid.rank, launch.block.rank) > max(needed.rank, least.rank):
        return False
    if variant.max_elements is None:
        return True
    fits = all(have >= need for have, need in zip(launch.block, least, strict=True))
    return fits and (facts.elements or 0) <= variant.max_elements


def candidates(facts: Facts, variant: Variant | None = None) -> Iterator[Dim3]:
    """Blocks worth trying for a variant, or for the asked launch, usual ones first."""
    chosen = variant or facts.ruled_variant
    if chosen is None:
        yield from BLOCKS[facts.launch.block.rank]
        return
    default = chosen.rule.block(facts.sizes)
    if chosen.max_elements is not None:
        yield default
        return
    usual = BLOCKS[default.rank]
    if default not in usual:
        yield default
    yield from usual


def fixed(facts: Facts, most: int = 2, variant: Variant | None = None) -> Iterator[Fix]:
    """Up to ``most`` fixes that change block and grid, each a launch that works."""
    chosen = variant or facts.ruled_variant
    given = 0
    for block in candidates(facts, chosen):
        launch = launch_with(facts, block, chosen)
        if given < most and launch != facts.launch and works(facts, launch, chosen):
            given += 1
            yield to_launch(facts, launch, chosen)


def to_launch(
    facts: Facts, launch: Launch, variant: Variant | None = None, title: Message = NOTHING
) -> Fix:
    """The fix that leads from the asked launch, and variant, to another."""
    chosen = variant or facts.ruled_variant
    switched = chosen is not None and chosen is not facts.ruled_variant
    ruled = chosen is not None and launch.grid == chosen.rule.grid(facts.sizes, launch.block)
    return Fix(
        title=title or _change(facts, launch),
        grid=launch.grid if launch.grid != facts.launch.grid or ruled else None,
        block=launch.block if launch.block != facts.launch.block else None,
        shared_bytes=_changed_shared(facts, launch, chosen),
        variant=chosen.name if chosen is not None and switched else None,
        grid_follows_size=True if ruled else None,
    )


def _change(facts: Facts, launch: Launch) -> Message:
    same = (launch.grid, launch.block) == (facts.launch.grid, facts.launch.block)
    if not same or launch.shared_bytes == facts.launch.shared_bytes:
        return describe(launch)
    size = binary_bytes(launch.shared_bytes)
    return _("Set shared memory to {size}").format(size=size)


def _changed_shared(facts: Facts, launch: Launch, variant: Variant | None) -> int | None:
    """None where the rule gives it anyway, so that it goes on following the block."""
    by_hand = variant is None or (facts.job is not None and facts.job.shared_bytes is not None)
    changed = launch.shared_bytes != facts.launch.shared_bytes
    return launch.shared_bytes if by_hand and changed else None


def switching(facts: Facts) -> Variant | None:
    """The variant to go over to where the chosen one cannot cover the problem."""
    if facts.operation is None or facts.variant is None or facts.edited:
        return None
    if facts.variant.max_elements is None:
        return None
    if (facts.elements or 0) <= facts.variant.max_elements:
        return None
    free = [v for v in facts.operation.variants if v.max_elements is None]
    return next((v for v in free if v.name == "grid"), free[0] if free else None)


def suggested_launches(facts: Facts, most: int = 2) -> tuple[Fix, ...]:
    """Fixes for a launch that is refused or leaves something out.

    They go to another variant if the chosen one has too little reach.
    """
    return tuple(fixed(facts, most, switching(facts)))


def reaching_all(facts: Facts) -> tuple[Fix, ...]:
    """Fixes for a launch that leaves elements out, if its variant's rule can be trusted.

    More blocks of the same kind if that helps, else other blocks or another variant.
    """
    if facts.ruled_variant is None:
        return ()
    launch = launch_with(facts, facts.launch.block)
    same = [] if switching(facts) else [(use_blocks(facts, launch.grid), launch)]
    helps = first_working(facts, same) if launch != facts.launch else ()
    return tuple(helps) or suggested_launches(facts)


def first_working(facts: Facts, launches: Iterable[tuple[Message, Launch]]) -> Iterator[Fix]:
    """Fixes for those of the titled launches that work."""
    for title, launch in launches:
        if works(facts, launch):
            yield to_launch(facts, launch, title=title)


def use_blocks(facts: Facts, grid: Dim3) -> Message:
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
