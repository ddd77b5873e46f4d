# SPDX-License-Identifier: MIT
"""A model of how long a launch takes on a GPU that is not here: a roofline with waves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import ceil_div
from threadloom.model.launch import WARP_SIZE, Launch
from threadloom.model.occupancy import Occupancy

LAUNCH_FLOOR_S = 2e-6
"""Least time between start and end of a kernel: 1.8 to 3.0 µs were measured on an H200 (1,000
elements, events behind a blocking kernel), 1.4 µs in a replayed CUDA graph."""
MEMORY_SHARE = 0.9
"""Share of the data sheet's bandwidth that a streaming kernel can reach: 4.36 of 4.8 TB/s by a
vectorised add, 4.3 TB/s by a device-to-device copy, measured on an H200."""
MEMORY_LATENCY_S = 600e-9
"""From a load to its value under load. Published pointer chases give 400 to 600 ns unloaded for
the GPUs from Turing to Blackwell."""
LOADS_IN_FLIGHT = 2
"""Loads that one thread of a simple kernel has under way at once, as ``a[i] + b[i]`` has. With the
latency above this gives 3.6 TB/s for a full H200; a plain vector add measured 3.4 TB/s."""
ARITHMETIC_LATENCY_CLOCKS = 4
"""Clocks until a dependent multiply-add can follow, Volta and later (Jia et al., "Dissecting the
NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, table 4.1)."""
LINK_SHARE = 0.85
"""Share of the link's rate that a large copy reaches, after packet overhead."""
PAGEABLE_GB_PER_S = 7.0
"""Rate at which ordinary (pageable) host memory is copied, whatever the link: the driver copies it
through a pinned buffer with one thread. 7.1 GB/s were measured on an H200 machine (800 MB)."""
COPY_FLOOR_S = 8e-6
"""Least time of one copy through the driver."""


class Bound(StrEnum):
    """What a kernel's modeled time is mostly made of."""

    MEMORY = "memory"
    COMPUTE = "compute"
    L1 = "l1"
    """Passing through the SMs' L1 caches and shared memories."""
    LATENCY = "latency"
    """Launching, and waiting with too little work under way to fill either."""


@dataclass(frozen=True, slots=True)
class ModeledTimes:
    """Modeled times in seconds."""

    kernel_s: float
    h2d_s: float
    d2h_s: float
    bound: Bound
    waves: int

    @property
    def total_s(self) -> float:
        """Copies and kernel one after the other."""
        return self.h2d_s + self.kernel_s + self.d2h_s


def modeled_times(
    device: DeviceModel,
    bytes_moved: float,
    flops: float,
    dtype: str,
    launch: Launch,
    occupancy: Occupancy,
    h2d_bytes: float = 0.0,
    d2h_bytes: float = 0.0,
    l1_wavefronts: float | None = None,
) -> ModeledTimes:
    """Model kernel and copies.

    The kernel takes the launch floor and then wave after wave, the work spread evenly over the
    blocks. A wave of ``b`` blocks takes the longest of

    * its bytes over the smaller of ``MEMORY_SHARE`` × bandwidth and what its threads keep under
      way (threads × ``LOADS_IN_FLIGHT`` × element size over ``MEMORY_LATENCY_S``, Little's law),
    * the operations of the busiest SM's blocks over that SM's rate, which needs
      ``ARITHMETIC_LATENCY_CLOCKS`` warps for each of its schedulers to be full,
    * the wavefronts of the busiest SM's blocks through its L1 cache and shared memory, one a
      clock, where ``l1_wavefronts`` is their number (see `threadloom.model.wavefronts`),
    * one memory latency, if there is anything to load.

    So a last wave with few blocks costs nearly as much as a full one where it cannot fill the
    device, and low occupancy costs what it leaves unfilled. Without counted passes, uncoalesced
    access and bank conflicts are not in it; divergence, atomics that wait for each other and what
    the L2 cache saves never are. It says how fast the launch could be, and a kernel that wastes
    traffic takes longer. Copies are of pageable memory; they are NaN for an unknown link.

    Raises:
        ValueError: If no block fits an SM, or the launch has no blocks.
    """
    slots = device.sm_count * occupancy.blocks_per_sm
    blocks = launch.blocks
    if slots < 1 or blocks < 1:
        raise ValueError(f"nothing runs: {blocks} blocks, {slots} places for them")
    wave = _Wave(
        device, launch, dtype, bytes_moved / blocks, flops / blocks, (l1_wavefronts or 0.0) / blocks
    )
    full, rest = divmod(blocks, slots)
    kernel = LAUNCH_FLOOR_S + full * wave.seconds(slots) + (wave.seconds(rest) if rest else 0.0)
    memory = bytes_moved / _memory_rate(device)
    compute = flops / device.peak_flops(dtype)
    l1 = (l1_wavefronts or 0.0) / _l1_rate(device)
    return ModeledTimes(
        kernel_s=kernel,
        h2d_s=copy_seconds(device, h2d_bytes),
        d2h_s=copy_seconds(device, d2h_bytes),
        bound=_bound(kernel, memory, compute, l1),
        waves=ceil_div(blocks, slots),
    )


def copy_seconds(device: DeviceModel, size: float) -> float:
    """Time to copy so many bytes of pageable memory over the link, NaN for an unknown link."""
    if size <= 0:
        return 0.0
    if device.link_gb_per_s <= 0:
        return math.nan
    return COPY_FLOOR_S + size / (min(device.link_gb_per_s * LINK_SHARE, PAGEABLE_GB_PER_S) * 1e9)


@dataclass(frozen=True, slots=True)
class _Wave:
    """Blocks that run at the same time."""

    device: DeviceModel
    launch: Launch
    dtype: str
    block_bytes: float
    block_flops: float
    block_wavefronts: float

    def seconds(self, blocks: int) -> float:
        latency = MEMORY_LATENCY_S if self.block_bytes else 0.0
        return max(self._memory(blocks), self._compute(blocks), self._l1(blocks), latency)

    def _memory(self, blocks: int) -> float:
        item = 8 if self.dtype == "float64" else 4
        in_flight = blocks * self.launch.threads_per_block * LOADS_IN_FLIGHT * item
        rate = min(_memory_rate(self.device), in_flight / MEMORY_LATENCY_S)
        return blocks * self.block_bytes / rate

    def _compute(self, blocks: int) -> float:
        device = self.device
        on_busiest = ceil_div(blocks, device.sm_count)
        lanes = device.fp32_lanes_per_sm / WARP_SIZE
        warps = on_busiest * self.launch.threads_per_block / WARP_SIZE
        filled = min(1.0, warps / (lanes * ARITHMETIC_LATENCY_CLOCKS))
        rate = device.peak_flops(self.dtype) / device.sm_count * filled
        return on_busiest * self.block_flops / rate

    def _l1(self, blocks: int) -> float:
        on_busiest = ceil_div(blocks, self.device.sm_count)
        return on_busiest * self.block_wavefronts * self.device.sm_count / _l1_rate(self.device)


def _l1_rate(device: DeviceModel) -> float:
    return device.sm_count * device.clock_mhz * 1e6


def _memory_rate(device: DeviceModel) -> float:
    return device.memory_gb_per_s * 1e9 * MEMORY_SHARE


def _bound(kernel: float, memory: float, compute: float, l1: float) -> Bound:
    longest = max(memory, compute, l1)
    if longest < kernel / 2:
        return Bound.LATENCY
    if l1 == longest:
        return Bound.L1
    return Bound.MEMORY if memory >= compute else Bound.COMPUTE
