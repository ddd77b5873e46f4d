# SPDX-License-Identifier: MIT
"""The named baselines on the CPU: NumPy, and a C loop on one thread or on several."""

from threadloom.backends.host.c_loop import CLoop, c_loop, c_loop_label
from threadloom.backends.host.measurement import measure
from threadloom.backends.host.numpy_baseline import numpy_label, numpy_samples
from threadloom.backends.host.threaded_loop import (
    ThreadedLoop,
    threaded_loop,
    threaded_loop_label,
    usable_threads,
)

__all__ = [
    "CLoop",
    "ThreadedLoop",
    "c_loop",
    "c_loop_label",
    "measure",
    "numpy_label",
    "numpy_samples",
    "threaded_loop",
    "threaded_loop_label",
    "usable_threads",
]
