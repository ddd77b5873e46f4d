# SPDX-License-Identifier: MIT
"""What a child does to itself before its work: it can neither outlive nor disturb its parent."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from multiprocessing import connection, parent_process
from pathlib import Path

_PR_SET_PDEATHSIG = 1
"""From linux/prctl.h: signal to get when the parent ends."""


def redirect_output(path: Path) -> None:
    """Send whatever is printed, by C code too, to a file: the parent's output stays its own."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by whoever started the program, or one without a console
            stream.flush()
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(target, 1)
    os.dup2(target, 2)
    os.close(target)
    faulthandler.enable(file=2)


def leave_terminal() -> None:
    """Ignore Ctrl-C, which is the parent's to answer, and lead a process group of one's own.

    With its own group, the parent can end compilers that the child has started together with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        os.setpgid(0, 0)


def die_with_parent() -> None:
    """End as soon as the parent has ended, even in the midst of a kernel that never returns."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_leave_after_parent, name="parent watch", daemon=True).start()


def _leave_after_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def limit_memory(limit: int | None) -> None:
    """Let an allocation above so many bytes in all fail, where the system can do so.

    It counts memory that is written (RLIMIT_DATA), not addresses (RLIMIT_AS): CUDA and the
    emulator reserve far more addresses than they ever use.
    """
    if limit is None or sys.platform != "linux":
        return
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))
