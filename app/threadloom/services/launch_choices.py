# SPDX-License-Identifier: MIT
"""Which launches a sweep holds against each other, and how they are dealt to several GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from threadloom.model.dim3 import Dim3
from threadloom.model.operation import Operation, Variant
from threadloom.services.request import LaunchChoice, LaunchSweepRequest, LaunchSweepResult

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


def dealt(request: LaunchSweepRequest, devices: Sequence[int]) -> tuple[LaunchSweepRequest, ...]:
    """One request for each GPU; choices go to them in turn, so that each gets small and large ones.

    GPUs of one model differ by little, but they do: a point names its device.
    """
    return tuple(
        replace(
            request,
            job=replace(request.job, engine="gpu", device=device),
            choices=request.choices[place :: len(devices)],
        )
        for place, device in enumerate(devices)
    )


def together(
    request: LaunchSweepRequest, results: Sequence[LaunchSweepResult]
) -> LaunchSweepResult:
    """The results of dealt requests as one, points in the order of the whole request."""
    found = {point.choice: point for result in results for point in result.points}
    first = results[0]
    return LaunchSweepResult(
        job=request.job,
        points=tuple(found[choice] for choice in request.choices if choice in found),
        environment=first.environment,
        complete=all(result.complete for result in results),
    )
