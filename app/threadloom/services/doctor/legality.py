# SPDX-License-Identifier: MIT
"""Whether a device would take a launch."""

from __future__ import annotations

from threadloom.model.device import DeviceModel
from threadloom.model.launch import Launch
from threadloom.model.occupancy import register_limited_block
from threadloom.model.program import Resources


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
    return resources is None or launch.threads_per_block <= register_limited_block(
        device, resources
    )
