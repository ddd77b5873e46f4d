# SPDX-License-Identifier: MIT
"""The watchdog stops kernels that never end, and names the line where they spin."""

from __future__ import annotations

import re

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.backends.emulator import EmulatorBackend
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.trace import ViolationKind
from threadloom.services.devices import device_table

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
    with pytest.raises(LaunchError, match=r"Timeout: the kernel was stopped in line 4"):
        engine.run(compiled, launch, arguments)
    found = engine.trace(compiled, launch, arguments).trace.violations
    endless = [v for v in found if v.kind is ViolationKind.ENDLESS]
    assert [(v.line, v.thread.thread.x) for v in endless] == [(4, 3)]


TOGETHER = {
    "all alike": ("while (((volatile int *)x)[100] == 0) {}", 0),
    "at a barrier": ("while (true) __syncthreads();", 0),
    "in a warp": (
        "while (threadIdx.x >= 32) x[threadIdx.x] = __shfl_sync(~0u, x[threadIdx.x], 1);",
        32,
    ),
    "beside waiters": ("if (threadIdx.x == 41) for (;;) x[41] += 1; __syncthreads();", 41),
}


@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.parametrize("cores", [1, 2, 4])
def test_the_first_of_those_that_spin_is_named(name: str, cores: int) -> None:
    body, thread = TOGETHER[name]
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=cores, limit_s=0.2)
    compiled = engine.compile(Program(f"__global__ void k(int *x) {{\n    {body}\n}}\n", "k"))
    arguments = {"x": np.zeros(128, np.int32)}
    found = engine.trace(compiled, Launch(Dim3(5), Dim3(64)), arguments).trace.violations
    (endless,) = (v for v in found if v.kind is ViolationKind.ENDLESS)
    assert (endless.line, endless.thread.thread.x) == (2, thread)


@pytest.mark.parametrize("waits", ["", "__syncthreads();"])
def test_a_launch_that_is_just_long_blames_no_thread(waits: str) -> None:
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=2, limit_s=0.3)
    text = f"""__global__ void k(float *x, int n) {{
    float s = x[threadIdx.x];
    for (int i = 0; i < n; ++i) s = s * 0.5f + 1.0f;
    {waits}
    x[threadIdx.x] = s;
}}"""
    compiled = engine.compile(Program(text, "k"))
    launch = Launch(Dim3(1_000_000), Dim3(32))
    arguments: Values = {"x": np.zeros(32, np.float32), "n": np.int32(20_000)}
    (violation,) = engine.trace(compiled, launch, arguments).trace.violations
    assert violation.kind is ViolationKind.TOO_LONG
    assert re.fullmatch(
        r"Timeout after 300 ms: the launch was stopped after [\d,]+ of 1,000,000 blocks.",
        str(violation.detail),
    )
    with pytest.raises(LaunchError, match=r"Timeout after 300 ms: the launch was stopped after"):
        engine.run(compiled, launch, arguments)


def test_a_launch_in_time_is_left_alone(engine: EmulatorBackend) -> None:
    compiled = engine.compile(Program("__global__ void k(int *x) { x[threadIdx.x] = 5; }", "k"))
    x = np.zeros(64, np.int32)
    assert engine.run(compiled, Launch(Dim3(1), Dim3(64)), {"x": x}).arrays["x"].sum() == 320


@pytest.mark.parametrize("blocks", [2, 8])
def test_threads_that_spin_on_a_flag_with_fences_are_stopped(blocks: int) -> None:
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=2, limit_s=0.2)
    text = """__global__ void k(int *x) {
    x[threadIdx.x] = 1;
    __threadfence();
    while (((volatile int *)x)[100] == 0) {}
}"""
    compiled = engine.compile(Program(text, "k"))
    launch, arguments = Launch(Dim3(blocks), Dim3(64)), {"x": np.zeros(128, np.int32)}
    with pytest.raises(LaunchError, match="Timeout"):
        engine.run(compiled, launch, arguments)
    found = engine.trace(compiled, launch, arguments).trace.violations
    endless = [v for v in found if v.kind is ViolationKind.ENDLESS]
    assert [v.line for v in endless] == [4]
