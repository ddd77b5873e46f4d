# SPDX-License-Identifier: MIT
"""What a measurement on a GPU was taken with."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess

from threadloom.backends.base import EngineUnavailableError
from threadloom.backends.cuda.library import driver
from threadloom.backends.cuda.nvml import current_state
from threadloom.backends.nvcc.toolkit import find_nvcc


def environment(index: int = 0) -> dict[str, str]:
    """GPU, driver, versions, clocks, temperature and throttling at this moment.

    What cannot be read is left out; without a GPU it is empty.
    """
    try:
        cuda = driver()
    except EngineUnavailableError:
        return {}
    device = cuda.Device(index)
    number = cuda.get_driver_version()
    found = {
        "gpu": device.name(),
        "cuda": f"{number // 1000}.{number % 1000 // 10}",
        "pycuda": importlib.metadata.version("pycuda"),
        "nvcc": nvcc_version(),
        **current_state(device.pci_bus_id()),
    }
    return {key: value for key, value in found.items() if value}


def nvcc_version() -> str:
    """Release of the CUDA compiler, such as ``13.0``; empty without one."""
    path = find_nvcc()
    if path is None:
        return ""
    done = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"release (\d+\.\d+)", done.stdout)
    return found.group(1) if found else ""
