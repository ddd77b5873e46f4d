# SPDX-License-Identifier: MIT
"""A blocking kernel: it keeps the stream busy until the host releases it, as in nvbench.

What is queued behind it starts without a gap, so that two events around it see the GPU's time and
none of the host's. It is what makes launches of a few microseconds measurable at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from threadloom.backends.cuda.compilation import build
from threadloom.backends.cuda.library import Driver
from threadloom.model.program import Parameter, Program, Signature

LIMIT_S = 0.25
"""The kernel ends by itself after this time, so that nothing can wait for ever."""

_SOURCE = """\
extern "C" __global__ void
threadloom_blocking_kernel(volatile int *state, unsigned long long limit_ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    while (state[0] == 0) {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        if (now - begin > limit_ns) {
            state[1] = 1;
            break;
        }
    }
    __threadfence_system();
}
"""
_SIGNATURE = Signature(
    "threadloom_blocking_kernel",
    (
        Parameter("state", "int", pointer=True, const=False),
        Parameter("limit_ns", "unsigned long long", pointer=False, const=False),
    ),
    line=1,
)


class BlockingKernel:
    """One blocking kernel on one stream. The GPU's context must be current."""

    def __init__(self, cuda: Driver, stream: Any, architecture: str) -> None:
        self._stream = stream
        built = build(Program(_SOURCE, "threadloom_blocking_kernel"), _SIGNATURE, architecture)
        self._kernel = built.module.get_function(built.symbol).prepare("PQ")
        self._state = cuda.pagelocked_zeros(2, np.int32, mem_flags=cuda.host_alloc_flags.DEVICEMAP)
        self._address = int(self._state.base.get_device_pointer())

    def run_behind(self, enqueue: Callable[[], None]) -> bool:
        """Launch the blocking kernel, queue work behind it, release it and wait for all.

        Returns False if the queueing took so long that the kernel ended by itself; times taken
        behind it are then not to be used.
        """
        self._state[:] = 0
        self._kernel.prepared_async_call(
            (1, 1), (1, 1, 1), self._stream, self._address, int(LIMIT_S * 1e9)
        )
        try:
            enqueue()
        finally:
            self._state[0] = 1
        self._stream.synchronize()
        return bool(self._state[1] == 0)
