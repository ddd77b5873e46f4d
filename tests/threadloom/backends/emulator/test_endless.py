# SPDX-License-Identifier: MIT
"""Kernels that never end are stopped, and the line where they spin is named."""

from __future__ import annotations

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.trace import ViolationKind
from threadloom.services import device_table

SPINS = {
    "empty": "while (true) {}",
    "flag": "while (((volatile int *)x)[100] == 0) {}",
    "lock": "while (atomicCAS(x + 100, 1, 2) != 1) {}",
    "growth": "for (int i = 0; i >= 0; i = (i + 1) & 1023) x[i % 2] = 0;",
}


@pytest.fixture(scope="module")
def engine() -> EmulatorBackend:
    return EmulatorBackend(device_table.find("RTX 4090"), workers=2, limit_s=0.3)


@pytest.mark.parametrize("name", SPINS)
@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_the_spinning_line_is_named(engine: EmulatorBackend, name: str, waits: str) -> None:
    text = f"__global__ void k(int *x) {{\n    {waits}\n    if (threadIdx.x == 3)\n"
    text += f"        {SPINS[name]}\n    x[threadIdx.x] = 5;\n}}\n"
    compiled = engine.compile(Program(text, "k"))
    launch, arguments = Launch(Dim3(2), Dim3(64)), {"x": np.zeros(128, np.int32)}
    with pytest.raises(LaunchError, match=r"did not end in time; it was stopped in line 4"):
        engine.run(compiled, launch, arguments)
    found = engine.trace(compiled, launch, arguments).trace.violations
    endless = [v for v in found if v.kind is ViolationKind.ENDLESS]
    assert (4, 3) in {(v.line, v.thread.thread.x) for v in endless}
    assert len(endless) <= 2  # a core that was kept waiting may not have come to spin in its block


def test_a_launch_in_time_is_left_alone(engine: EmulatorBackend) -> None:
    compiled = engine.compile(Program("__global__ void k(int *x) { x[threadIdx.x] = 5; }", "k"))
    x = np.zeros(64, np.int32)
    assert engine.run(compiled, Launch(Dim3(1), Dim3(64)), {"x": x}).arrays["x"].sum() == 320
