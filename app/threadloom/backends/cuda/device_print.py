# SPDX-License-Identifier: MIT
"""What a kernel prints, caught before it reaches the program's own standard output."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import IO

MOST_LINES = 10_000
"""Lines kept; a kernel of a million threads may print as many."""


@contextlib.contextmanager
def printed_lines(source: str) -> Iterator[list[str]]:
    """Collect what device ``printf`` writes within the block; the list is filled at its end.

    The driver writes to the process' standard output itself, which may be a stream of JSON. So the
    file behind it is exchanged, on systems with such files and for sources that print.
    """
    lines: list[str] = []
    if "printf" not in source or sys.platform == "win32":
        yield lines
        return
    libc = ctypes.CDLL(None)
    sys.stdout.flush()
    with tempfile.TemporaryFile() as caught:
        saved = os.dup(1)
        try:
            os.dup2(caught.fileno(), 1)
            yield lines
        finally:
            libc.fflush(None)
            os.dup2(saved, 1)
            os.close(saved)
            lines.extend(_read(caught))


def _read(caught: IO[bytes]) -> list[str]:
    caught.seek(0)
    return [line.decode("utf-8", "replace").rstrip("\n") for line in caught][:MOST_LINES]
