# SPDX-License-Identifier: MIT
"""The named baselines on the CPU: NumPy, and a C loop on one thread."""

from threadloom.backends.host.c_loop import CLoop, c_loop, c_loop_label
from threadloom.backends.host.measurement import measure
from threadloom.backends.host.numpy_baseline import numpy_label, numpy_samples

__all__ = ["CLoop", "c_loop", "c_loop_label", "measure", "numpy_label", "numpy_samples"]
