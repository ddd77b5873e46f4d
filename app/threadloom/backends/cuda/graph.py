# SPDX-License-Identifier: MIT
"""Launches captured into a CUDA graph, which the GPU replays without the host's help."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from typing import Any

from threadloom.backends.cuda.driver_calls import CAPTURE_RELAXED, DriverCalls


class LaunchGraph:
    """So many launches, one after the other. The GPU's context must be current."""

    def __init__(self, calls: DriverCalls, handle: ctypes.c_void_p) -> None:
        self._calls = calls
        self._handle = handle

    def replay(self, stream: Any) -> None:
        """Queue all of the launches on a stream."""
        self._calls("cuGraphLaunch", self._handle, _stream(stream))


@contextlib.contextmanager
def launch_graph(
    calls: DriverCalls, stream: Any, launch: Callable[[Any], None], count: int
) -> Iterator[LaunchGraph]:
    """Capture ``count`` launches; the graph is gone at the end of the block.

    ``launch`` queues one launch on the stream that it is given; nothing runs while it is captured.

    Raises:
        DriverCallError: If the driver refuses.
    """
    captured, ready = ctypes.c_void_p(), ctypes.c_void_p()
    calls("cuStreamBeginCapture_v2", _stream(stream), CAPTURE_RELAXED)
    try:
        for _number in range(count):
            launch(stream)
    finally:
        calls("cuStreamEndCapture", _stream(stream), ctypes.byref(captured))
    try:
        nothing = ctypes.c_ulonglong(0)
        calls("cuGraphInstantiateWithFlags", ctypes.byref(ready), captured, nothing)
    finally:
        calls("cuGraphDestroy", captured)
    try:
        yield LaunchGraph(calls, ready)
    finally:
        calls("cuGraphExecDestroy", ready)


def _stream(stream: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(stream.handle)
