# SPDX-License-Identifier: MIT
"""Times several launches in turns, so that a change of the GPU's state meets them alike."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from threadloom.backends.cuda.stopwatch import Enqueue, Stopwatch
from threadloom.model.timing.gpu_state import Conditions
from threadloom.model.timing.samples import Samples, StopRule
from threadloom.model.timing.stopping import Stopping

ROUNDS = 3


def in_rounds(watch: Stopwatch, launches: Sequence[Enqueue], rule: StopRule) -> tuple[Samples, ...]:
    """Warm times of each launch; the rule's samples and time are for all rounds together.

    The order is another one in each round, always the same for the same number of launches.
    """
    part = replace(
        rule,
        least=math.ceil(rule.least / ROUNDS),
        most=math.ceil(rule.most / ROUNDS),
        time_limit_s=rule.time_limit_s / ROUNDS,
    )
    taken: list[list[Samples]] = [[] for _launch in launches]
    chance = random.Random(len(launches))  # noqa: S311 - an order, not a secret
    for _round in range(ROUNDS):
        order = list(range(len(launches)))
        chance.shuffle(order)
        for number in order:
            taken[number].append(watch.warm(launches[number], part))
    return tuple(_together(parts, rule) for parts in taken)


def _together(parts: Sequence[Samples], rule: StopRule) -> Samples:
    stopping = Stopping(rule)
    for part in parts:
        for seconds in part.seconds:
            stopping.add(seconds)
    readings = tuple(r for p in parts if p.conditions is not None for r in p.conditions.readings)
    return replace(
        stopping.samples(),
        method=parts[0].method,
        dropped=sum(part.dropped for part in parts),
        conditions=Conditions(readings) if readings else None,
    )
