# SPDX-License-Identifier: MIT
"""Memory of an observed launch does not grow with the number of its blocks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import resource
import numpy as np
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.services.devices import device_table

TEXT = '''__global__ void k(const float *a, float *c) {
    __shared__ float s[512];
    s[threadIdx.x] = a[blockIdx.x % 1024];
    __syncthreads();
    c[threadIdx.x] = s[511 - threadIdx.x];
}'''
engine = EmulatorBackend(device_table.find("RTX 4090"), workers=2)
compiled = engine.compile(Program(TEXT, "k"))
x = np.zeros(1024, np.float32)
for blocks in (100, 4000):
    trace = engine.trace(compiled, Launch(Dim3(blocks), Dim3(512)), {"a": x, "c": x.copy()}).trace
    assert trace.accesses == blocks * 512 * 4
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_forty_times_the_blocks_take_no_more_memory() -> None:
    # In a process of its own: the peak is that of its whole life.
    root = next(p for p in Path(__file__).parents if p.name == "tests").parent
    paths = os.pathsep.join(str(root / part) for part in ("app", "kernels", "assets"))
    environment = {**os.environ, "PYTHONPATH": paths}
    ran = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True
    )
    few, many = (int(line) for line in ran.stdout.split())
    assert many - few < 2048  # KiB; 8 bytes for each further access would be 61 MiB
