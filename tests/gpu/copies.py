# SPDX-License-Identifier: MIT
"""A copy kernel against the driver's own copy, and what copies to and from the device cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from threadloom.backends.cuda import CudaBackend
from threadloom.backends.cuda.library import driver
from threadloom.model.array import Array, Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program
from threadloom.model.timing.samples import Samples, StoppingCriterion
from threadloom_kernels import default_launch, discover, make_arguments, read_source

BYTES = 1 << 30
RULE = StoppingCriterion(min_samples=20, max_samples=100, relative_target=0.002, time_limit_s=0.4)
FITS = 0.03
KERNEL = """
__global__ void copy(const float4 *__restrict__ from, float4 *__restrict__ to, long long n)
{
    long long i = (long long)blockIdx.x * blockDim.x * EACH + threadIdx.x;
    float4 held[EACH];
    #pragma unroll
    for (int k = 0; k < EACH; k++)
        if (i + k * blockDim.x < n)
            held[k] = __ldcs(&from[i + k * blockDim.x]);
    #pragma unroll
    for (int k = 0; k < EACH; k++)
        if (i + k * blockDim.x < n)
            __stcs(&to[i + k * blockDim.x], held[k]);
}
"""
EACH = (1, 2, 4, 8)
THREADS = (256, 512, 1024)


def collect(_out: Path) -> dict[str, Any]:
    """Rates of the best copy kernel and of the driver's copy; the whole way of a vector add."""
    backend = CudaBackend(0)
    theirs = _driver_copy(backend)
    arrays = {
        "from": np.random.default_rng(1).random(BYTES // 4, dtype=np.float32),
        "to": np.empty(BYTES // 4, dtype=np.float32),
    }
    kernels = [_kernel(backend, arrays, each, threads) for each in EACH for threads in THREADS]
    best = max(kernels, key=lambda row: float(row["gb_per_s"]))
    share = best["gb_per_s"] / theirs["gb_per_s"]
    breakdowns = [_breakdown(backend, size) for size in (10**5, 10**7, 10**8)]
    return {
        "driver_copy": theirs,
        "kernels": kernels,
        "share": share,
        "breakdowns": breakdowns,
        "ok": abs(share - 1) <= FITS,
        "summary": [
            f"{'yes' if abs(share - 1) <= FITS else 'NO '} copy kernel within 3 % of the copy",
            f"driver's copy {theirs['gb_per_s']:.0f} GB/s; best kernel {best['gb_per_s']:.0f} GB/s "
            f"({share:.1%}), {best['each']} × float4 a thread, {best['threads']} threads",
            *(f"{k['each']} × {k['threads']}: {k['gb_per_s']:.0f} GB/s" for k in kernels),
            *(_breakdown_line(breakdown) for breakdown in breakdowns),
        ],
    }


def _driver_copy(backend: CudaBackend) -> dict[str, Any]:
    cuda = driver()
    with backend._context.current():
        watch = backend._stopwatch()
        here, there = cuda.mem_alloc(BYTES), cuda.mem_alloc(BYTES)
        cuda.memset_d32(here, 0x3F9D70A4, BYTES // 4)

        def copy(stream: Any) -> None:
            cuda.memcpy_dtod_async(there, here, BYTES, stream)

        watch.warm_up(copy)
        samples = watch.in_stream(copy, RULE)
    return _rate(samples)


def _kernel(
    backend: CudaBackend, arrays: Mapping[str, Array], each: int, threads: int
) -> dict[str, Any]:
    compiled = backend.compile(Program(KERNEL.replace("EACH", str(each)), "copy"))
    count = BYTES // 16
    arguments: Values = {**arrays, "n": np.int64(count)}
    launch = Launch(Dim3(-(-count // (threads * each))), Dim3(threads))
    with backend._prepared(compiled, launch, arguments) as (_memory, enqueue):
        watch = backend._stopwatch()
        watch.warm_up(enqueue)
        samples = watch.in_stream(enqueue, RULE)
    return {"each": each, "threads": threads, **_rate(samples)}


def _rate(samples: Samples) -> dict[str, Any]:
    return {
        "gb_per_s": 2 * BYTES / samples.median_s / 1e9,
        "seconds": samples.seconds,
        "rule_met": samples.converged,
        "method": str(samples.method),
    }


def _breakdown(backend: CudaBackend, size: int) -> dict[str, Any]:
    operation = discover()["vector_add"]
    variant = operation.variant("grid")
    sizes = operation.sizes({"n": size})
    compiled = backend.compile(Program(read_source(operation, variant, "float32"), variant.entry))
    values = make_arguments(operation, sizes, "float32", seed=1)
    rule = StoppingCriterion(min_samples=5, max_samples=30, time_limit_s=0.3)
    found = backend.breakdown(compiled, default_launch(variant, sizes, 4), values, rule)
    row: dict[str, Any] = {
        "size": size,
        "bytes_in": found.bytes_in,
        "bytes_out": found.bytes_out,
        "compile_s": found.compile_s,
        "from_cache": found.from_cache,
        "first_launch_s": found.first_launch_s,
        "allocate_s": found.allocate.median_s,
        "copy_in_pageable_s": found.h2d_pageable.median_s,
        "kernel_s": found.kernel.median_s,
        "copy_out_pageable_s": found.d2h_pageable.median_s,
    }
    if found.pinned is not None:
        row |= {
            "pin_s": found.pinned.pin_s,
            "copy_in_pinned_s": found.pinned.h2d.median_s,
            "copy_out_pinned_s": found.pinned.d2h.median_s,
            "in_turn_s": found.pinned.in_turn.median_s,
            "overlapped_s": found.pinned.overlapped.median_s,
        }
    return row


def _breakdown_line(row: dict[str, Any]) -> str:
    steps = (f"{key[:-2]} {row[key] * 1e6:,.1f}" for key in row if key.endswith("_s"))
    return f"vector_add {row['size']:,}, µs: {', '.join(steps)}"
