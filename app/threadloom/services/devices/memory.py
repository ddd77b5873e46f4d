# SPDX-License-Identifier: MIT
"""How much memory there is, and how much a problem takes."""

from __future__ import annotations

import os
from pathlib import Path

from threadloom.services.run.resolve import Resolved
from threadloom_kernels import memory_bytes

COPIES = 3
"""Arrays of a problem exist about so many times at once: given, written by an engine, reference."""
_SHARE = 0.9


def available_bytes() -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    return _meminfo("MemAvailable") or _physical_bytes()


def limit_bytes() -> int | None:
    """Memory that a child may take; None where the system does not say how much there is.

    Nine tenths of the machine's, or of the container's: an allocation beyond it fails with an
    error that can be told, where the system would else kill whatever it deems worst.
    """
    amounts = [amount for amount in (_physical_bytes(), _container_bytes()) if amount]
    return int(_SHARE * min(amounts)) if amounts else None


def needed_bytes(resolved: Resolved) -> int:
    """Memory that a run of a job takes on the host."""
    return COPIES * memory_bytes(resolved.operation, resolved.sizes, resolved.dtype)


def _meminfo(field: str) -> int | None:
    info = Path("/proc/meminfo")
    if info.is_file():
        for line in info.read_text("ascii").splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    return None


def _physical_bytes() -> int | None:
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _container_bytes() -> int | None:
    """Limit of a control group, version 2; None without one."""
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text("ascii"))
    except (OSError, ValueError):  # no such file, or "max"
        return None
