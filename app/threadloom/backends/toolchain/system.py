# SPDX-License-Identifier: MIT
"""The C library of this process, to link against without the compiler's own runtime."""

from __future__ import annotations

import ctypes
import functools
import platform
import re
import sys
from pathlib import Path

_MAPPED = re.compile(r"(/\S*/lib(?:c|m)(?:\.so\.6|-[\d.]+\.so))$")
_UNDEFINED = re.compile(r"undefined symbol: (\S+)")


@functools.cache
def system_libraries() -> tuple[str, ...]:
    """Paths of the C library and its mathematics as they are loaded now; empty if unknown.

    A library that is linked against these needs nothing else. Zig would first build a runtime of
    its own, which takes some 15 seconds on a machine where it never ran.
    """
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return ()
    try:
        ctypes.CDLL("libm.so.6")
        maps = Path("/proc/self/maps").read_text(errors="replace").splitlines()
    except OSError:
        return ()
    found = {match[1] for line in maps if (match := _MAPPED.search(line))}
    return tuple(sorted(found)) if len(found) == 2 else ()


def runtime_is_missing(log: str) -> bool:
    """Whether a linker's errors name functions of a compiler's runtime, such as ``__divti3``."""
    return any(name.startswith("__") for name in _UNDEFINED.findall(log))


def symbols_are_missing(log: str) -> bool:
    """Whether a linker refuses because of undefined functions, whatever they are."""
    return _UNDEFINED.search(log) is not None
