# SPDX-License-Identifier: MIT
"""Every operation × variant × element type at several sizes on the GPU, held against NumPy."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from threadloom.backends.base import BackendError, Compiled
from threadloom.backends.cuda import CudaBackend
from threadloom.model.array import Values
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.operation import Operation, Role, Variant
from threadloom.model.program import Program
from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom.services.run.compare import compare
from threadloom_kernels import default_launch, discover, make_arguments, read_source

SMALL = (1, 2, 31, 32, 33, 127, 257)
LARGE = {1: 10_000_019, 2: 3_001, 3: 509}
"""By the number of axes that a bare size sets; primes."""
RULE = StoppingCriterion(min_samples=5, max_samples=50, time_limit_s=0.1)
BUDGET_S = 40.0
"""After this time no more timings are taken, so that every kernel is at least checked."""


def collect(_out: Path) -> dict[str, Any]:
    """Rows as ``tests/contract/test_gpu_record.py`` wants them, with timings beside."""
    backend = CudaBackend(0)
    begin = time.perf_counter()
    rows = []
    for operation, variant, dtype in _kernels():
        source = read_source(operation, variant, dtype)
        compiled = backend.compile(Program(source, variant.entry, variant.file))
        for sizes in _sizes(operation, variant):
            timed = max(sizes.values()) > max(SMALL) and time.perf_counter() - begin < BUDGET_S
            rows.append(_row(backend, compiled, operation, variant, dtype, sizes, timed))
    wrong = [row for row in rows if not row["matches"]]
    kernels = {(row["operation"], row["variant"], row["dtype"]) for row in rows}
    summary = [f"{len(kernels)} kernels, {len(rows)} launches, {len(wrong)} differ from NumPy"]
    summary += [f"{r['operation']}/{r['variant']} {r['dtype']} {r['sizes']}: {r}" for r in wrong]
    summary += [_line(row) for row in rows if "kernel_s" in row and row["dtype"] == "float32"]
    return {"rows": rows, "device": asdict(backend.device), "ok": not wrong, "summary": summary}


def _kernels() -> Iterator[tuple[Operation, Variant, str]]:
    for operation in discover().values():
        for variant in operation.variants:
            for dtype in operation.dtypes:
                yield operation, variant, dtype


def _sizes(operation: Operation, variant: Variant) -> Iterator[dict[str, int]]:
    bare = [axis.name for axis in operation.axes if axis.set_by_bare_size]
    follows = next(a for a in operation.arguments if a.name == variant.follows)
    chosen = [dict.fromkeys(bare, size) for size in (*SMALL, LARGE[len(bare)])] + [{}]
    if len(bare) > 1:
        chosen.append(dict(zip(bare, (17, 65, 33), strict=False)))
    for part in chosen:
        sizes = operation.sizes(part)
        elements = math.prod(follows.extents(sizes))
        short = any(sizes[axis.name] < axis.minimum for axis in operation.axes)
        if not short and (variant.max_elements is None or elements <= variant.max_elements):
            yield sizes


def _row(
    backend: CudaBackend,
    compiled: Compiled,
    operation: Operation,
    variant: Variant,
    dtype: str,
    sizes: Mapping[str, int],
    timed: bool,
) -> dict[str, Any]:
    values = make_arguments(operation, sizes, dtype, seed=1)
    launch = default_launch(variant, sizes, np.dtype(dtype).itemsize)
    row: dict[str, Any] = {
        "operation": operation.name,
        "variant": variant.name,
        "dtype": dtype,
        "sizes": dict(sizes),
        "grid": tuple(launch.grid),
        "block": tuple(launch.block),
        "shared_bytes": launch.shared_bytes,
        "resources": asdict(compiled.resources),
        "compile_s": compiled.compile_s,
        "occupancy": asdict(occupancy(backend.device, launch, compiled.resources)),
    }
    try:
        row |= _checked(backend, compiled, operation, launch, values, sizes)
        if timed:
            row |= _timed(backend, compiled, operation, launch, values, sizes)
    except BackendError as error:
        row |= {"matches": False, "max_error": math.inf, "tolerance": 0.0, "error": str(error)}
    return row


def _checked(
    backend: CudaBackend,
    compiled: Compiled,
    operation: Operation,
    launch: Launch,
    values: Values,
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    outputs = backend.run(compiled, launch, values)
    read = {a.name for a in operation.arguments if a.role in {Role.IN, Role.INOUT}}
    reference = operation.reference({n: np.asarray(values[n]) for n in read}, sizes)
    first = reference[operation.outputs[0]]
    tolerance = operation.tolerance(sizes, first.dtype)
    found = [compare(n, outputs.arrays[n], reference[n], tolerance) for n in operation.outputs]
    return {
        "matches": all(each.matches for each in found),
        "max_error": max(each.max_error for each in found),
        "tolerance": max(each.tolerance for each in found),
        "first_launch_s": outputs.elapsed_s,
    }


def _timed(
    backend: CudaBackend,
    compiled: Compiled,
    operation: Operation,
    launch: Launch,
    values: Values,
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    times = backend.time(compiled, launch, values, RULE)
    item = np.asarray(values[operation.outputs[0]]).dtype.itemsize
    kernel = times.kernel.median_s
    samples = {"kernel": _samples(times.kernel)}
    found: dict[str, Any] = {
        "kernel_s": kernel,
        "copy_in_s": times.h2d.median_s,
        "copy_out_s": times.d2h.median_s,
        "gb_per_s": operation.bytes_moved(sizes, item) / kernel / 1e9,
        "gflop_per_s": operation.flops(sizes) / kernel / 1e9,
        "samples": samples,
    }
    if times.kernel_cold is not None:
        found["kernel_cold_s"] = times.kernel_cold.median_s
        samples["kernel_cold"] = _samples(times.kernel_cold)
    return found


def _samples(samples: Samples) -> dict[str, Any]:
    return {"seconds": samples.seconds, "rule_met": samples.converged}


def _line(row: Mapping[str, Any]) -> str:
    name = f"{row['operation']}/{row['variant']}"
    cold = row.get("kernel_cold_s", math.nan)
    return (
        f"{name:<28} {'×'.join(map(str, row['sizes'].values())):<16} "
        f"warm {row['kernel_s'] * 1e6:9.1f} µs, cold {cold * 1e6:9.1f} µs, "
        f"{row['gb_per_s']:7.0f} GB/s, {row['gflop_per_s']:8.0f} GFLOP/s, "
        f"copies {1e3 * (row['copy_in_s'] + row['copy_out_s']):7.2f} ms"
    )
