# SPDX-License-Identifier: MIT
"""How many blocks an SM holds at once, and what holds that back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from threadloom.model.capability import capability
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import ceil_div
from threadloom.model.launch import WARP_SIZE, Launch
from threadloom.model.program import Resources


class Limiter(StrEnum):
    """What keeps more blocks from an SM."""

    THREADS = "threads"
    BLOCKS = "blocks"
    REGISTERS = "registers"
    SHARED = "shared memory"
    NOTHING = "nothing runs"


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Blocks and warps of one SM for a launch."""

    blocks_per_sm: int
    warps_per_sm: int
    max_warps_per_sm: int
    limiter: Limiter

    @property
    def share(self) -> float:
        """Active warps over the most that fit, 0 to 1."""
        return self.warps_per_sm / self.max_warps_per_sm


def occupancy(device: DeviceModel, launch: Launch, resources: Resources) -> Occupancy:
    """Blocks that one SM holds at once.

    The rules are those of NVIDIA's occupancy calculator as the CUDA 13.0 toolkit states them in
    ``cuda_occupancy.h``, for compute capability 7.5 to 12.x: an SM has room for so many warps, so
    many blocks, and so much shared memory, which is handed out in units of 128 bytes (256 on 7.5)
    with 1 KiB more for the system from 8.0 on. Registers are handed out to whole warps in units of
    256; each of an SM's four parts has a quarter of them. Dynamic shared memory above 48 KiB
    counts as asked for (the engine sets the function's attribute).

    Where the registers are not known, they are left out, and the result is the most that can be.
    Of several limits that are equally tight, the one named is the first of threads, registers,
    shared memory, blocks. A launch that no SM can hold gets 0 blocks and `Limiter.NOTHING`.
    """
    limits = _limits(device, launch, resources)
    limiter = min(limits, key=lambda kind: limits[kind])
    blocks = limits[limiter]
    return Occupancy(
        blocks_per_sm=blocks,
        warps_per_sm=blocks * launch.warps_per_block,
        max_warps_per_sm=device.max_warps_per_sm,
        limiter=limiter if blocks else Limiter.NOTHING,
    )


def register_limited_block(device: DeviceModel, resources: Resources) -> int:
    """Threads of the largest block that the kernel's registers allow, a multiple of 32.

    The warps of a block are spread over the four parts of an SM, so that their number counts as
    rounded up to a multiple of four (``cuda_occupancy.h``). The driver's own limit for the kernel
    takes precedence where it is known. Without known registers it is the device's limit.
    """
    if resources.max_threads_per_block is not None:
        return min(resources.max_threads_per_block, device.max_threads_per_block)
    if not resources.registers:
        return device.max_threads_per_block
    if resources.registers > device.max_registers_per_thread:
        return 0
    parts = capability(device.compute_capability).sub_partitions
    rounds = device.registers_per_block // (_registers_of_warp(device, resources.registers) * parts)
    return min(rounds * parts * WARP_SIZE, device.max_threads_per_block)


_UNLIMITED = 2**31 - 1


def _limits(device: DeviceModel, launch: Launch, resources: Resources) -> dict[Limiter, int]:
    """Blocks by limit, in the order in which equally tight ones are named."""
    warps = launch.warps_per_block
    if min(*launch.block) < 1 or launch.threads_per_block > register_limited_block(
        device, resources
    ):
        return {Limiter.NOTHING: 0}
    return {
        Limiter.THREADS: device.max_warps_per_sm // warps,
        Limiter.REGISTERS: _by_registers(device, warps, resources),
        Limiter.SHARED: _by_shared(device, launch, resources),
        Limiter.BLOCKS: device.max_blocks_per_sm,
    }


def _by_registers(device: DeviceModel, warps: int, resources: Resources) -> int:
    if not resources.registers:
        return _UNLIMITED
    parts = capability(device.compute_capability).sub_partitions
    of_warp = _registers_of_warp(device, resources.registers)
    warps_per_part = device.registers_per_sm // parts // of_warp
    return warps_per_part * parts // warps


def _registers_of_warp(device: DeviceModel, registers: int) -> int:
    unit = capability(device.compute_capability).register_unit
    return ceil_div(registers * WARP_SIZE, unit) * unit


def _by_shared(device: DeviceModel, launch: Launch, resources: Resources) -> int:
    unit = capability(device.compute_capability).shared_unit
    reserved = device.shared_reserved_per_block
    used = max(launch.shared_bytes, 0) + resources.shared_bytes + reserved
    taken = ceil_div(used, unit) * unit
    if taken > device.shared_per_block_optin + reserved:
        return 0
    return device.shared_per_sm // taken if taken else _UNLIMITED
