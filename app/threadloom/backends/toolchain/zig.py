# SPDX-License-Identifier: MIT
"""Where the compiler is, and what code for this processor is called."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import platform
import sys
from pathlib import Path

from threadloom.backends.base import EngineUnavailableError
from threadloom.model.message import _


def zig_binary() -> Path:
    """The compiler's program inside the package ``ziglang``.

    Raises:
        EngineUnavailableError: If the package is not installed.
    """
    found = importlib.util.find_spec("ziglang")
    if found is not None and found.submodule_search_locations:
        name = "zig.exe" if sys.platform == "win32" else "zig"
        binary = Path(found.submodule_search_locations[0]) / name
        if binary.exists():
            return binary
    raise EngineUnavailableError(
        _("The emulator's compiler is missing. Install it with: pip install ziglang")
    )


@functools.cache
def zig_version() -> str:
    """Version of the package, which names the compiler inside; empty if there is none."""
    try:
        return importlib.metadata.version("ziglang")
    except importlib.metadata.PackageNotFoundError:
        return ""


@functools.cache
def processor_identity() -> str:
    """What code for this processor depends on: system, architecture and instruction sets.

    Zig compiles for the processor it runs on, so a cache that moves to another one must miss.
    """
    parts = [sys.platform, platform.machine(), platform.processor()]
    described = Path("/proc/cpuinfo")
    if described.exists():
        keys = ("flags", "model name", "Features", "CPU part")
        lines = described.read_text(errors="replace").splitlines()
        parts += sorted({line for line in lines if line.startswith(keys)})
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
