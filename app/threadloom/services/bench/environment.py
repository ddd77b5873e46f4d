# SPDX-License-Identifier: MIT
"""What a figure depends on beside the kernel: hardware, versions, date."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from threadloom.model.device import DeviceModel
from threadloom.model.provenance import Provenance


def environment(
    device: DeviceModel, seed: int, gpu: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Surroundings of a measurement that starts now; values are for users and for files.

    ``gpu`` is what only the process that uses the GPU can tell, such as clocks.
    """
    modeled = device.provenance is Provenance.MODELED
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "device": device.name,
        "device_is": "modeled" if modeled else "here",
        "device_source": device.source,
        "cpu": cpu_name(),
        "cpu_threads": str(usable_threads()),
        "seed": str(seed),
        **_versions(),
        **(gpu or {}),
    }


def usable_threads() -> int:
    """Hardware threads that this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def cpu_name() -> str:
    """The processor's name as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8", "replace").splitlines():
            field, _colon, value = line.partition(":")
            if field.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _versions() -> Mapping[str, str]:
    found = {"python": platform.python_version(), "system": platform.platform()}
    for package in ("threadloom", "numpy", "ziglang", "pycuda", "nvidia-cuda-nvrtc"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
