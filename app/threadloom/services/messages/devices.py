# SPDX-License-Identifier: MIT
"""The request for devices, and its result."""

from __future__ import annotations

from dataclasses import dataclass

from threadloom.model.device import DeviceModel
from threadloom.model.message import Message


@dataclass(frozen=True, slots=True)
class DevicesRequest:
    """What is here. Answered by `DevicesResult`."""


@dataclass(frozen=True, slots=True)
class DevicesResult:
    """GPUs that are here, models of the table, and what was looked for."""

    gpus: tuple[DeviceModel, ...]
    models: tuple[DeviceModel, ...]
    checked: tuple[tuple[Message, bool, Message], ...]
    """Rows of (what, found, text): driver, PyCUDA, emulator, CUDA compiler."""
