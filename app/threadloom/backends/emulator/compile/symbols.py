# SPDX-License-Identifier: MIT
"""Foreign symbols: functions that a kernel's library needs and may not have."""

from __future__ import annotations

import functools
import re

from threadloom.backends.emulator.compile.binary import Binary
from threadloom.backends.emulator.compile.build import engine_files

_ENGINE = frozenset(
    {
        *("mmap", "munmap", "madvise", "mprotect", "malloc", "calloc", "realloc", "free", "qsort"),
        *("memcpy", "memset", "memmove", "memchr", "snprintf", "vsnprintf", "clock_gettime"),
        *(
            "prctl",
            "sigaction",
            "sigaltstack",
            "sigfillset",
            "sigdelset",
            "pthread_sigmask",
            "pthread_kill",
            "pthread_getcpuclockid",
            "pthread_mutex_lock",
            "pthread_mutex_unlock",
            "pthread_cond_signal",
            "pthread_cond_broadcast",
            "pthread_cond_timedwait",
            "pthread_cond_wait",
            "sched_yield",
            "pthread_cond_init",
            "pthread_create",
            "pthread_join",
            "__tls_get_addr",
        ),
        *("_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__gmon_start__"),
        "__cxa_finalize",
    }
)
_DECLARED = re.compile(r"TL_FUNCTION[12]\((\w+)\)|\b(\w+)\((?:int, )?(?:double|float)")


@functools.cache
def mathematical_functions() -> frozenset[str]:
    """Functions of the C library's mathematics that the engine's header declares."""
    text = engine_files()["device/functions.h"]
    names = {name for pair in _DECLARED.findall(text) for name in pair if name}
    return frozenset(names | {f"{name}f" for name in names} | {"sincos", "sincosf"})


def foreign_symbols(binary: Binary) -> frozenset[str]:
    """Symbols that neither the engine nor the mathematical functions need."""
    needed = frozenset(name.partition("@")[0] for name in binary.undefined)
    return needed - _ENGINE - mathematical_functions()
