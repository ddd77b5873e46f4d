# SPDX-License-Identifier: MIT
"""A kernel that keeps the stream busy until the host says go.

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
"""The gate opens by itself after this time, so that nothing can wait for ever."""

_SOURCE = """\
extern "C" __global__ void threadloom_gate(volatile int *state, unsigned long long limit_ns) {
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
    "threadloom_gate",
    (
        Parameter("state", "int", pointer=True, const=False),
        Parameter("limit_ns", "unsigned long long", pointer=False, const=False),
    ),
    line=1,
)


class Gate:
    """One gate on one stream. The GPU's context must be current."""

    def __init__(self, cuda: Driver, stream: Any, architecture: str) -> None:
        self._stream = stream
        built = build(Program(_SOURCE, "threadloom_gate"), _SIGNATURE, architecture)
        self._kernel = built.module.get_function(built.symbol).prepare("PQ")
        self._state = cuda.pagelocked_zeros(2, np.int32, mem_flags=cuda.host_alloc_flags.DEVICEMAP)
        self._address = int(self._state.base.get_device_pointer())

    def hold(self, enqueue: Callable[[], None]) -> bool:
        """Shut the gate, queue work behind it, open it and wait until all is done.

        Returns False if the queueing took so long that the gate opened by itself; times taken
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
