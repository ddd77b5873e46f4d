# SPDX-License-Identifier: MIT
"""Interleaved trials of several launches, so that a change of the GPU's state affects all alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from threadloom.backends.cuda.stopwatch import Enqueue, Stopwatch
from threadloom.model.timing.gpu_state import GpuStates
from threadloom.model.timing.interleaving import interleave, joined
from threadloom.model.timing.samples import Samples, StoppingCriterion


def interleaved_trials(
    watch: Stopwatch, launches: Sequence[Enqueue], criterion: StoppingCriterion
) -> tuple[Samples, ...]:
    """Warm times of each launch; the criterion's samples and time are for all rounds together."""
    found = interleave([partial(watch.warm, launch) for launch in launches], criterion)
    return tuple(_joined(parts, criterion) for parts in found)


def _joined(parts: Sequence[Samples], criterion: StoppingCriterion) -> Samples:
    states = tuple(s for p in parts if p.gpu_states is not None for s in p.gpu_states.states)
    return replace(
        joined(parts, criterion),
        method=parts[0].method,
        dropped=sum(part.dropped for part in parts),
        gpu_states=GpuStates(states) if states else None,
    )
