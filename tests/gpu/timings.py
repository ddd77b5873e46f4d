# SPDX-License-Identifier: MIT
"""Our kernel times against graph replay and against themselves, over sizes."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from tests.gpu.driver_library import DriverLibrary

from threadloom.backends.base import Compiled, TransferTimes
from threadloom.backends.cuda import CudaBackend
from threadloom.backends.cuda.library import driver
from threadloom.backends.host import numpy_samples
from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.model.operation import Operation, Role
from threadloom.model.program import Program
from threadloom.model.samples import StopRule
from threadloom_kernels import default_launch, discover, make_arguments, read_source

RULE = StopRule(least=10, most=60, time_limit_s=0.25)
IN_GRAPH = 100
"""Launches in one graph."""
RELAXED = 2
"""``CU_STREAM_CAPTURE_MODE_RELAXED``."""
PLAN = (
    ("vector_add", "grid", (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)),
    ("matmul", "naive", (64, 128, 256, 512, 1024, 2048, 4096)),
    ("matmul", "shared_tile", (64, 128, 256, 512, 1024, 2048, 4096)),
)
CLOSE_SHARE, CLOSE_S = 0.03, 0.3e-6
"""How near two methods have to be: either is enough."""


def collect(_out: Path) -> dict[str, Any]:
    """Rows with both of our own measurements, the graph's, and NumPy's."""
    backend = CudaBackend(0)
    rows = [
        _row(backend, discover()[name], variant, size)
        for name, variant, sizes in PLAN
        for size in sizes
    ]
    far = [row for row in rows if not row["close_to_graph"]]
    unsteady = [row for row in rows if row["warm_s"] > 20e-6 and row["repeat_share"] > 0.02]
    summary = [
        f"{len(far)} of {len(rows)} warm times are off graph replay by more than 3 % and 0.3 µs",
        f"{len(unsteady)} of the kernels above 20 µs repeat worse than 2 %",
        *map(_line, rows),
    ]
    return {"rows": rows, "ok": not far and not unsteady, "summary": summary}


def _row(backend: CudaBackend, operation: Operation, name: str, size: int) -> dict[str, Any]:
    variant = operation.variant(name)
    sizes = operation.sizes({axis.name: size for axis in operation.axes})
    source = read_source(operation, variant, "float32")
    compiled = backend.compile(Program(source, variant.entry))
    values = make_arguments(operation, sizes, "float32", seed=1)
    launch = default_launch(variant, sizes, 4)
    first = backend.time(compiled, launch, values, RULE)
    graph = _graph_replay(backend, compiled, launch, values)
    again = backend.time(compiled, launch, values, RULE)
    warm = first.kernel.median_s
    off = abs(warm - graph)
    return {
        "operation": operation.name,
        "variant": name,
        "size": size,
        "warm_s": warm,
        "warm_again_s": again.kernel.median_s,
        "repeat_share": abs(warm - again.kernel.median_s) / warm,
        "cold_s": None if first.kernel_cold is None else first.kernel_cold.median_s,
        "graph_replay_s": graph,
        "close_to_graph": off <= CLOSE_S or off <= CLOSE_SHARE * graph,
        "gb_per_s": operation.bytes_moved(sizes, 4) / warm / 1e9,
        "gflop_per_s": operation.flops(sizes) / warm / 1e9,
        "numpy_s": _numpy(operation, values, sizes),
        **_copies(first),
        "samples": _samples(first),
    }


def _copies(times: TransferTimes) -> dict[str, Any]:
    return {
        "copy_in_s": times.copy_in.median_s,
        "copy_out_s": times.copy_out.median_s,
        "first_launch_s": times.first_launch_s,
        "rule_met": times.kernel.rule_met,
    }


def _samples(times: TransferTimes) -> dict[str, Any]:
    cold = times.kernel_cold.seconds if times.kernel_cold else ()
    return {"warm": times.kernel.seconds, "cold": cold, "copy_in": times.copy_in.seconds}


def _numpy(operation: Operation, values: Values, sizes: Mapping[str, int]) -> float:
    read = {a.name for a in operation.arguments if a.role in {Role.IN, Role.INOUT}}
    inputs = {name: np.asarray(values[name]) for name in read}
    rule = StopRule(least=3, most=10, time_limit_s=0.1)
    return numpy_samples(operation.reference, inputs, sizes, rule).median_s


def _graph_replay(
    backend: CudaBackend, compiled: Compiled, launch: Launch, values: Values
) -> float:
    """Seconds of one launch within a replayed graph: no host between, another timing method."""
    from threadloom.backends.cuda.backend import _launcher
    from threadloom.backends.cuda.memory import DeviceArguments
    from threadloom.backends.cuda.packing import check_arguments

    cuda, library = driver(), DriverLibrary()
    checked = check_arguments(compiled.signature, values, compiled.program.text)
    with backend._context.current():
        memory = DeviceArguments(cuda, compiled.signature, checked)
        memory.copy_in()
        stream = cuda.Stream()
        enqueue = _launcher(cuda, compiled, launch, memory)
        begin = time.perf_counter()
        enqueue(stream)
        stream.synchronize()
        count = IN_GRAPH if time.perf_counter() - begin < 1e-3 else 4
        graph = _captured(library, stream, enqueue, count)
        return _replayed(cuda, library, graph, stream) / count


def _captured(
    library: DriverLibrary, stream: Any, enqueue: Callable[[Any], None], count: int
) -> ctypes.c_void_p:
    handle = ctypes.c_void_p(stream.handle)
    graph, ready = ctypes.c_void_p(), ctypes.c_void_p()
    library("cuStreamBeginCapture_v2", handle, RELAXED)
    for _number in range(count):
        enqueue(stream)
    library("cuStreamEndCapture", handle, ctypes.byref(graph))
    library("cuGraphInstantiateWithFlags", ctypes.byref(ready), graph, ctypes.c_ulonglong(0))
    return ready


def _replayed(cuda: Any, library: DriverLibrary, graph: ctypes.c_void_p, stream: Any) -> float:
    handle = ctypes.c_void_p(stream.handle)
    taken = []
    for _number in range(12):
        first, last = cuda.Event(), cuda.Event()
        first.record(stream)
        library("cuGraphLaunch", graph, handle)
        last.record(stream)
        last.synchronize()
        taken.append(last.time_since(first) * 1e-3)
    return float(median(taken[2:]))


def _line(row: Mapping[str, Any]) -> str:
    cold = row["cold_s"] or float("nan")
    return (
        f"{row['operation']}/{row['variant']:<12} {row['size']:>11,} "
        f"warm {row['warm_s'] * 1e6:10.2f} (again {row['warm_again_s'] * 1e6:10.2f}, "
        f"graph {row['graph_replay_s'] * 1e6:10.2f}) cold {cold * 1e6:10.2f} µs, "
        f"{row['gb_per_s']:6.0f} GB/s {row['gflop_per_s']:7.0f} GFLOP/s, copies "
        f"{(row['copy_in_s'] + row['copy_out_s']) * 1e3:8.2f} ms, "
        f"NumPy {row['numpy_s'] * 1e3:9.3f} ms"
    )
