# SPDX-License-Identifier: MIT
"""Which launches a sweep holds against each other."""

from __future__ import annotations

from collections.abc import Iterable

from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Operation, Variant
from threadloom.services.messages.launch_sweep import LaunchChoice

LINE = tuple(Dim3(1 << power) for power in range(5, 11))
"""Block sizes of a line of threads: 32 to 1,024."""
PLANE = tuple(
    Dim3(1 << across, 1 << down)
    for down in range(6)
    for across in range(2, 8)
    if 32 <= 1 << (across + down) <= 1024
)
"""Block shapes of a plane, with 32 to 1,024 threads."""


def block_choices(
    variant: Variant, sizes: dict[str, int], blocks: Iterable[Dim3] = ()
) -> tuple[LaunchChoice, ...]:
    """The given blocks, or usual ones with as many dimensions as the variant's own block has."""
    usual = LINE if variant.rule.block(sizes).y == 1 else PLANE
    return tuple(LaunchChoice(variant.name, block) for block in tuple(blocks) or usual)


def variant_choices(operation: Operation) -> tuple[LaunchChoice, ...]:
    """Every variant with its own launch."""
    return tuple(LaunchChoice(variant.name) for variant in operation.variants)
