# SPDX-License-Identifier: MIT
"""The time limit counts processor time, with wall-clock time far behind it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from threadloom.backends.emulator import EmulatorBackend
from threadloom.backends.emulator.compile.build import engine_files
from threadloom.backends.toolchain import compile_shared
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.services.devices import device_table

SECOND = 10**9
EXPORTED = """#include "scheduler/time_limit.h"
extern "C" __attribute__((visibility("default")))
tl_u64 time_left(tl_u64 limit, tl_u64 used, tl_u64 elapsed) {
    return tl_time_left_ns(limit, used, elapsed);
}
extern "C" __attribute__((visibility("default")))
tl_u64 launch_cpu(const tl_u64 *used, tl_u32 workers, tl_u64 cores) {
    return tl_launch_cpu_ns(used, workers, cores);
}
"""
FLAGS = ("-std=c++17", "-nostdlib++", "-fno-exceptions", "-fno-rtti", "-iquote", ".")
PARTS = ("scheduler/time_limit.cpp", "scheduler/time_limit.h", "device/state.h")
LONG = """__global__ void k(float *x, int n) {
    float s = x[threadIdx.x];
    for (int i = 0; i < n; ++i) s = s * 0.5f + 1.0f;
    x[threadIdx.x] = s;
}"""
RIVALS = 4
BUSY = "print(flush=True)\nwhile True: pass"


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    sources = {path: engine_files()[path] for path in PARTS}
    built = compile_shared({**sources, "exported.cpp": EXPORTED}, FLAGS)
    loaded = ctypes.CDLL(str(built))
    for function in (loaded.time_left, loaded.launch_cpu):
        function.restype = ctypes.c_uint64
    loaded.time_left.argtypes = [ctypes.c_uint64] * 3
    return loaded


@pytest.fixture
def time_left(library: ctypes.CDLL) -> Callable[[float, float], float]:
    """Seconds of a limit of 10 s that are left, by processor and wall-clock time."""
    return lambda used, elapsed: (
        library.time_left(10 * SECOND, int(used * SECOND), int(elapsed * SECOND)) / SECOND
    )


def test_a_stopped_process_uses_nothing_of_its_limit(
    time_left: Callable[[float, float], float],
) -> None:
    assert time_left(1, 1) == 9
    assert time_left(1, 50) == 9


def test_the_limit_is_reached_by_processor_time(
    time_left: Callable[[float, float], float],
) -> None:
    assert time_left(9.5, 9.5) == 0.5
    assert time_left(10, 10) == 0
    assert time_left(11, 10) == 0


def test_behind_it_is_six_times_as_much_wall_clock_time(
    time_left: Callable[[float, float], float],
) -> None:
    assert time_left(1, 57) == 3
    assert time_left(0, 60) == 0
    assert time_left(1, 1000) == 0


@pytest.mark.parametrize(
    ("used", "cores", "launch"),
    [
        ((3, 3), 2, 3),
        ((3, 3), 1, 6),
        ((5, 1), 2, 5),
        ((1,) * 8, 2, 4),
        ((4,), 16, 4),
        ((), 2, 0),
    ],
)
def test_workers_share_their_cores(
    library: ctypes.CDLL, used: tuple[int, ...], cores: int, launch: int
) -> None:
    times = (ctypes.c_uint64 * max(len(used), 1))(*used)
    count = library.launch_cpu(times, ctypes.c_uint32(len(used)), ctypes.c_uint64(cores))
    assert count == launch


@contextmanager
def crowded_core() -> Iterator[None]:
    """One core for this process, on which others are busy."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    command = [sys.executable, "-c", BUSY]
    rivals = [subprocess.Popen(command, stdout=subprocess.PIPE) for _number in range(RIVALS)]
    try:
        for rival in rivals:
            assert rival.stdout is not None
            rival.stdout.readline()
        yield
    finally:
        for rival in rivals:
            rival.kill()
            rival.communicate()
        os.sched_setaffinity(0, before)


def test_a_launch_that_gets_little_of_a_core_is_not_stopped_early() -> None:
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=1)
    compiled = engine.compile(Program(LONG, "k"))
    launch = Launch(Dim3(1_000), Dim3(32))
    arguments: Values = {"x": np.zeros(32, np.float32), "n": np.int32(2_000)}
    engine.run(compiled, launch, arguments)
    start = time.process_time()
    alone = engine.run(compiled, launch, arguments)
    cpu_s = time.process_time() - start
    limited = EmulatorBackend(engine.device, workers=1, limit_s=3 * cpu_s)
    with crowded_core():
        crowded = limited.run(compiled, launch, arguments)
    np.testing.assert_array_equal(crowded.arrays["x"], alone.arrays["x"])
