# SPDX-License-Identifier: MIT
"""A kernel that does nothing: its time is the floor under every other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from threadloom.backends.cuda.compilation import build
from threadloom.model.program import Program, Signature

_SOURCE = 'extern "C" __global__ void threadloom_empty(int) {}\n'
_SIGNATURE = Signature("threadloom_empty", (), line=1)


def empty_kernel(architecture: str) -> Callable[[Any], None]:
    """A function that queues one block of one thread, which does nothing, on a stream.

    The GPU's context must be current.
    """
    built = build(Program(_SOURCE, "threadloom_empty"), _SIGNATURE, architecture)
    kernel = built.module.get_function(built.symbol).prepare("i")
    one = (1, 1, 1)

    def enqueue(stream: Any, module: object = built.module) -> None:
        kernel.prepared_async_call(one[:2], one, stream, 0)

    return enqueue
