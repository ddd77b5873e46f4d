# SPDX-License-Identifier: MIT
"""CPU and GPU baselines in words."""

from __future__ import annotations

from threadloom.backends.host import c_loop_label, numpy_label, threaded_loop_label, usable_threads
from threadloom.model.timing.samples import SeriesKey
from threadloom.text import _


def baseline_title(key: SeriesKey) -> str:
    """A baseline with library and threads."""
    return {
        SeriesKey.C_LOOP: str(c_loop_label()),
        SeriesKey.C_LOOP_THREADS: str(threaded_loop_label(usable_threads())),
        SeriesKey.NUMPY: str(numpy_label()),
        SeriesKey.FRAMEWORK: _("CuPy and PyTorch (cuBLAS), if installed with a GPU"),
    }[key]
