# SPDX-License-Identifier: MIT
"""A model of when and where the blocks of a launch run, for a GPU that is not here."""

from __future__ import annotations

import numpy as np

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import ceil_div
from threadloom.model.launch import Launch
from threadloom.model.occupancy import Occupancy
from threadloom.model.provenance import Provenance
from threadloom.model.timeline import BlockTimeline

MOST_BLOCKS = 1 << 22
"""Blocks up to which every one is held."""
SAMPLED_BLOCKS = 1 << 20
"""About how many are held of a larger launch."""


def modeled_timeline(
    device: DeviceModel,
    launch: Launch,
    occupancy: Occupancy,
    duration_s: float,
    most: int = MOST_BLOCKS,
) -> BlockTimeline:
    """Deal the blocks to the SMs in waves.

    Assumptions, all deterministic: blocks start in the order of their number; they go round the
    SMs, one each, until every SM holds as many as its occupancy allows; every block takes the same
    time, so that a whole wave ends at once and the next takes its places. A real GPU differs in
    each of these by a little; a measured timeline shows by how much.

    Above ``most`` blocks, every ``stride``-th is held, about a million of them.

    Raises:
        ValueError: If no block fits an SM, or the launch has no blocks.
    """
    slots = device.sm_count * occupancy.blocks_per_sm
    blocks = launch.blocks
    if slots < 1 or blocks < 1:
        raise ValueError(f"nothing runs: {blocks} blocks, {slots} places for them")
    waves = ceil_div(blocks, slots)
    stride = 1 if blocks <= most else ceil_div(blocks, SAMPLED_BLOCKS)
    wave_s = duration_s / waves
    if stride == 1:
        wave = np.repeat(np.arange(waves, dtype=np.int32), slots)[:blocks]
        sms = np.arange(device.sm_count, dtype=np.int32)
        sm = np.tile(sms, ceil_div(blocks, device.sm_count))[:blocks]
    else:
        number = np.arange(0, blocks, stride, dtype=np.int64)
        wave = (number // slots).astype(np.int32)
        sm = (number % slots % device.sm_count).astype(np.int32)
    start = wave * wave_s
    return BlockTimeline(
        sm=sm,
        start_s=start,
        end_s=start + wave_s,
        wave=wave,
        slots=slots,
        waves=waves,
        duration_s=duration_s,
        provenance=Provenance.MODELED,
        blocks=blocks,
        stride=stride,
    )
