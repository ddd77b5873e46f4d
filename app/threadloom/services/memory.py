# SPDX-License-Identifier: MIT
"""How much memory there is, and how much a problem takes."""

from __future__ import annotations

import os
from pathlib import Path

from threadloom.services.resolve import Resolved
from threadloom_kernels import memory_bytes

COPIES = 3
"""Arrays of a problem exist about so many times at once: given, written by an engine, reference."""


def available_bytes() -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    info = Path("/proc/meminfo")
    if info.is_file():
        for line in info.read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    names = getattr(os, "sysconf_names", {})
    if "SC_PHYS_PAGES" in names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def needed_bytes(resolved: Resolved) -> int:
    """Memory that a run of a job takes on the host."""
    return COPIES * memory_bytes(resolved.operation, resolved.sizes, resolved.dtype)
