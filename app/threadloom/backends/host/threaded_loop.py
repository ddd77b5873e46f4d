# SPDX-License-Identifier: MIT
"""The plain C loop on several threads, each with a part of the problem."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

import numpy as np

from threadloom.backends.host.c_loop import CLoop, c_loop
from threadloom.model.array import Array, Values
from threadloom.model.message import Message, ngettext


class ThreadedLoop:
    """Loops over parts of the same arrays; a call runs all and waits. Close it after use.

    Threads are Python's: a call into C lets go of the interpreter's lock.
    """

    def __init__(self, parts: Sequence[CLoop], outputs: Mapping[str, Array]) -> None:
        self._parts = parts
        self._pool = ThreadPoolExecutor(max(len(parts) - 1, 1), thread_name_prefix="c-loop")
        self.outputs = outputs
        """Arrays that the loops write, by argument."""

    @property
    def threads(self) -> int:
        """Threads that work at the same time."""
        return len(self._parts)

    def __call__(self) -> None:
        """Run every part once; one of them on the calling thread."""
        others = [self._pool.submit(part) for part in self._parts[1:]]
        self._parts[0]()
        for other in others:
            other.result()

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def __enter__(self) -> ThreadedLoop:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()


def threaded_loop_label(threads: int) -> Message:
    """Such as ``C loop, 16 threads``."""
    text = ngettext("C loop, {threads} thread", "C loop, {threads} threads", threads)
    return text.format(threads=threads)


def usable_threads() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux can tell
        return os.cpu_count() or 1


def threaded_loop(
    source: str, arguments: Values, cut: Sequence[str], axis: str, threads: int | None = None
) -> ThreadedLoop:
    """Compile like `c_loop`, and give each thread a stretch of one axis.

    The loop must treat each index of the axis by itself.

    Args:
        source: A C source with a function ``loop``.
        arguments: Arrays and scalars in the loop's order.
        cut: Arrays whose first extent is the axis; each thread gets its rows of them. The others
            are given to every thread as they are.
        axis: The scalar argument that says how long the axis is.
        threads: Threads; as many as there are processors if None.

    Raises:
        ToolchainError: If the source does not compile.
        EngineUnavailableError: If there is no compiler.
        ValueError: If an array that the loop writes is not cut: threads would write over
            each other's results.
    """
    length = int(np.asarray(arguments[axis]))
    count = max(1, min(threads or usable_threads(), length))
    bounds = [length * number // count for number in range(count + 1)]
    whole = c_loop(source, arguments)
    uncut = set(whole.outputs) - set(cut)
    if uncut:
        raise ValueError(f"every thread would write to {', '.join(sorted(uncut))}")
    parts = [
        whole.part({name: whole.values[name][low:high] for name in cut}, {axis: high - low})
        for low, high in itertools.pairwise(bounds)
    ]
    return ThreadedLoop(parts, whole.outputs)
