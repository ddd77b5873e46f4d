# SPDX-License-Identifier: MIT
"""Whether a device would take a launch."""

from __future__ import annotations

from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import ceil_div
from threadloom.model.launch import Launch
from threadloom.model.program import Resources

REGISTER_UNIT = 256
"""Registers are given to a warp in portions of 256 (CUDA occupancy calculator, compute
capability 3.0 and later)."""


def registers_of_block(registers: int, launch: Launch) -> int:
    """Registers that one block takes, with each warp's share rounded up to the unit."""
    per_warp = ceil_div(registers * 32, REGISTER_UNIT) * REGISTER_UNIT
    return per_warp * launch.warps_per_block


def most_threads_by_registers(registers: int, device: DeviceModel) -> int:
    """Threads of the largest block whose registers fit, a multiple of 32."""
    per_warp = ceil_div(registers * 32, REGISTER_UNIT) * REGISTER_UNIT
    return device.registers_per_block // per_warp * 32


def shared_of_block(launch: Launch, resources: Resources | None) -> int:
    """Static and dynamic shared memory of a block, in bytes."""
    return launch.shared_bytes + (resources.shared_bytes if resources else 0)


def is_legal(launch: Launch, device: DeviceModel, resources: Resources | None = None) -> bool:
    """Whether every limit of the device that is known to matter is kept."""
    return (
        _extents_fit(launch, device)
        and launch.shared_bytes >= 0
        and shared_of_block(launch, resources) <= device.shared_per_block_optin
        and _registers_fit(launch, device, resources)
    )


def _extents_fit(launch: Launch, device: DeviceModel) -> bool:
    pairs = [
        *zip(launch.block, device.max_block, strict=True),
        *zip(launch.grid, device.max_grid, strict=True),
    ]
    if not all(1 <= asked <= allowed for asked, allowed in pairs):
        return False
    return launch.threads_per_block <= device.max_threads_per_block


def _registers_fit(launch: Launch, device: DeviceModel, resources: Resources | None) -> bool:
    if resources is None:
        return True
    if resources.max_threads_per_block is not None:
        return launch.threads_per_block <= resources.max_threads_per_block
    if resources.registers is None:
        return True
    return registers_of_block(resources.registers, launch) <= device.registers_per_block
