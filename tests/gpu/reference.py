# SPDX-License-Identifier: MIT
"""Times of the plan that owe nothing to our engine: ``python -m tests.gpu.reference FILE``.

The same source, built by nvcc and launched by CuPy: warm within CUDA graphs that CuPy captures and
replays, cold by nvbench (the package cuda-bench), which also times batches in a stream, and cold
once more by hand.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from tests.gpu.workloads import Workload, workloads

from threadloom.backends.nvcc.cubin import symbol_of
from threadloom.backends.nvcc.toolkit import nvcc

IN_GRAPH = 200
REPLAYS = 12
NVBENCH_SAMPLES = 100
NVBENCH_TIMEOUT_S = 1.5
SPUN_SAMPLES, SPUN_S = 100, 0.4
SPIN_CLOCKS = 600_000
"""Some 0.3 ms: long enough for Python to queue a launch and two events."""
SPIN = """
extern "C" __global__ void spin(long long clocks) {
    for (long long begin = clock64(); clock64() - begin < clocks;);
}
"""

Launch = Callable[[], None]
"""Queues one launch on CuPy's current stream."""


def main(file: Path) -> None:
    """Write one entry for each launch of the plan."""
    loads = list(workloads())
    found: dict[str, Any] = {load.name: {} for load in loads}
    for load in loads:
        enqueue = _launcher(load)
        found[load.name] |= {"graph_s": _in_graph(enqueue), "spun_cold": _spun_cold(enqueue)}
    try:
        for name, times in _nvbench(loads).items():
            found[name] |= times
    except Exception:  # noqa: BLE001 - whatever keeps nvbench from working is reported
        found["nvbench"] = traceback.format_exc()
    file.write_text(json.dumps(found), "utf-8")


@functools.cache
def _kernel(text: str, entry: str) -> Any:
    """The source as nvcc builds it, loaded by CuPy."""
    import cupy  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.cu", Path(folder) / "kernel.cubin"
        source.write_text(text, "utf-8")
        command = [str(nvcc()), f"-arch=sm_{cupy.cuda.Device().compute_capability}", "-cubin"]
        subprocess.run([*command, "-o", str(cubin), str(source)], check=True)
        kernel = cupy.RawModule(path=str(cubin)).get_function(symbol_of(entry, cubin.read_bytes()))
        assert kernel.num_regs > 0  # it is loaded while the file is there
    return kernel


def _launcher(load: Workload) -> Launch:
    import cupy

    kernel = _kernel(load.program.text, load.program.entry)
    arguments = [
        cupy.asarray(value) if np.ndim(value) else np.int32(value)
        for value in load.values().values()
    ]
    launch = load.launch

    def enqueue() -> None:
        kernel(tuple(launch.grid), tuple(launch.block), arguments, shared_mem=launch.shared_bytes)

    return enqueue


def _in_graph(enqueue: Launch) -> float:
    """Seconds of one launch within a replayed graph."""
    import cupy

    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        begin = time.perf_counter()
        for _number in range(3):
            enqueue()
            stream.synchronize()
        count = IN_GRAPH if time.perf_counter() - begin < 3e-3 else 4
        stream.begin_capture()
        for _number in range(count):
            enqueue()
        graph = stream.end_capture()
        taken = [_replay(graph, stream) / count for _number in range(REPLAYS)]
    return median(taken[2:])


def _replay(graph: Any, stream: Any) -> float:
    import cupy

    first, last = cupy.cuda.Event(), cupy.cuda.Event()
    first.record(stream)
    graph.launch(stream)
    last.record(stream)
    last.synchronize()
    return float(cupy.cuda.get_elapsed_time(first, last)) * 1e-3


def _spun_cold(enqueue: Launch) -> list[float]:
    """Cold times by hand: flush and wait; then spin for a while, and one launch between events."""
    import cupy

    spin = cupy.RawKernel(SPIN, "spin")
    flushed = cupy.empty(2 * cupy.cuda.Device().attributes["L2CacheSize"], dtype=cupy.int8)
    stream = cupy.cuda.Stream(non_blocking=True)
    found: list[float] = []
    begin = time.perf_counter()
    with stream:
        while len(found) < SPUN_SAMPLES and time.perf_counter() - begin < SPUN_S:
            first, last = cupy.cuda.Event(), cupy.cuda.Event()
            flushed.fill(len(found))
            stream.synchronize()
            spin((1,), (1,), (np.int64(SPIN_CLOCKS),))
            first.record(stream)
            enqueue()
            last.record(stream)
            last.synchronize()
            found.append(float(cupy.cuda.get_elapsed_time(first, last)) * 1e-3)
    return found[len(found) // 10 :]


def _nvbench(loads: list[Workload]) -> dict[str, dict[str, Any]]:
    from cuda import bench  # type: ignore[import-not-found]
    from cuda.bench.results import BenchmarkResult  # type: ignore[import-not-found]

    def kernel(state: Any) -> None:
        enqueue = _launcher(loads[state.get_int64("load")])

        def launched(launch: Any) -> None:
            with _current(launch.get_stream()):
                enqueue()

        state.exec(launched, batched=True)

    benchmark = bench.register(kernel)
    benchmark.add_int64_axis("load", list(range(len(loads))))
    benchmark.set_stopping_criterion("sample-count")
    benchmark.set_criterion_param_int64("target-samples", NVBENCH_SAMPLES)
    benchmark.set_timeout(NVBENCH_TIMEOUT_S)
    benchmark.set_batch_target_time(0.05)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nvbench.json"
        bench.run_all_benchmarks(["nvbench", "--jsonbin", str(file), "--devices", "0", "--quiet"])
        result = BenchmarkResult.from_json(file)
        states = [state for part in result.values() for state in part]
        return {loads[_number(state)].name: _times(state) for state in states}


def _current(stream: Any) -> Any:
    """CuPy's view of nvbench's stream, as a context; newer versions have another name for it."""
    import cupy

    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(stream)
    return cupy.cuda.ExternalStream(stream.addressof())


def _number(state: Any) -> int:
    values = {value["name"]: value["value"] for value in state.axis_values}
    return int(values["load"])


def _times(state: Any) -> dict[str, Any]:
    batch = state.summaries.get("nv/batch/time/gpu/mean")
    samples = [float(second) for second in state.samples or ()]
    return {
        "nvbench_cold_s": median(samples) if samples else None,
        "nvbench_cold_mean_s": state.summaries["nv/cold/time/gpu/mean"].value,
        "nvbench_batch_s": batch.value if batch else None,
        "nvbench_samples": [float(f"{second:.6g}") for second in samples],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
