# SPDX-License-Identifier: MIT
"""Many libraries of kernels in one process, whose thread-local memory is scarce."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.emulator.compile.kernel import Kernel

KERNEL = "__global__ void k(int *out) { out[threadIdx.x] = threadIdx.x; }"
ENGINES, LIBRARIES = 16, 8


def test_many_engines_load_many_kernels(lab: Any, tmp_path: Path) -> None:
    """More than a C library has room for at once, in engines of which some are gone already."""
    kernel = lab.compile(KERNEL).handle
    assert isinstance(kernel, Kernel)
    for engine_number in range(ENGINES):
        engine = EmulatorBackend(lab.engine.device)
        for number in range(LIBRARIES):
            copy = tmp_path / f"{engine_number}-{number}.so"
            shutil.copy(kernel.library, copy)
            assert engine._loader._load(copy) is not None
