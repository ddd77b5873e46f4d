# SPDX-License-Identifier: MIT
"""When and where blocks ran: every kernel recorded, and what must hold of each record."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tests.gpu.hand_over import hand_over
from tests.gpu.recording_costs import recording_costs

from threadloom.backends.base import BackendError
from threadloom.backends.cuda import CudaBackend
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3, ceil_div
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.operation import Operation, Variant
from threadloom.model.program import Program
from threadloom.model.timeline import BlockTimeline
from threadloom_kernels import default_launch, discover, make_arguments, read_source

LARGE = {1: 28_000_000, 2: 4_000, 3: 400}
"""By the number of axes that a bare size sets; many of these take some 100 µs."""
SMALL = {1: 1000, 2: 30, 3: 9}
"""For kernels of one block."""
BUDGET_S = 140.0
"""After this time no more kernels are recorded, so that a report is written in any case."""
MOST_SLOWED = 0.10
BUSY_FITS = 0.05
LONG_S = 90e-6
"""From here on a kernel counts for what recording costs."""
FULL_WAVES = 8
"""From here on the SMs are full for nearly all of the time: a ramp and a tail are small."""
LAUNCH_S = 6e-6
"""Two events around a launch see so much more than the blocks, beside the share above."""
TRICKY = {
    "template": (
        "template <typename T, int N> __global__ void k(T *a, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; a[i] = T(N); }\n"
        "template __global__ void k<float, 4>(float *, int);"
    ),
    "launch bounds": (
        'extern "C" __global__ void __launch_bounds__(128, 4) k(float *a, int n)\n'
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 4; }"
    ),
    "dynamic shared": (
        "__global__ void k(float *a, int n) { extern __shared__ float s[]; s[threadIdx.x] = 4;\n"
        "__syncthreads(); int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "if (i < n) a[i] = s[threadIdx.x ^ 1]; }"
    ),
    "leaves early": (
        "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "if (threadIdx.x % 32 < 7 || i >= n) return; float x = i;\n"
        "for (int k = 0; k < 500; k++) x = sqrtf(x + k); a[i] = x; }"
    ),
}


def collect(_out: Path) -> dict[str, Any]:
    """One row for each kernel with its record's figures; raw records of two."""
    begin = time.perf_counter()
    backend = CudaBackend(0)
    handing = hand_over(backend)
    costs = recording_costs(backend)
    rows = [_tricky(backend, name, text) for name, text in TRICKY.items()]
    rows.append(_sampled(backend))
    left_out = 0
    rows += [_fenced(backend, *kernel) for kernel in _atomic_kernels()]
    for kernel in _kernels():
        if time.perf_counter() - begin < BUDGET_S:
            rows.append(_row(backend, *kernel))
        else:
            left_out += 1
    checks = _checks(rows, backend.device.sm_count) | handing["checks"]
    failed = [row for row in rows if "error" in row]
    summary = [f"{'yes' if held else 'NO '} {name}" for name, held in checks.items()]
    summary += [f"{row['name']}: {row['error']}" for row in failed]
    summary += [f"{left_out} kernels left out: no time"] if left_out else []
    summary += handing["summary"]
    summary += [f"cost: {line}" for line in costs["summary"]]
    summary += [_line(row) for row in rows if "error" not in row]
    return {
        "rows": rows,
        "recorded": [
            _raw(backend, "vector_add", "grid", 10**6),
            _raw(backend, "matmul", None, 512),
        ],
        "handed_over": handing["rows"],
        "costs": costs["rows"],
        "checks": checks,
        "ok": all(checks.values()) and not failed,
        "summary": summary,
    }


def _kernels() -> Iterator[tuple[Operation, Variant, dict[str, int]]]:
    known = discover()
    for name, variant_name, size in (
        ("vector_add", "grid", 10**8),
        ("matmul", "shared_tile", 700),
        ("matmul", "naive", 2048),
        ("matmul", "shared_tile", 2048),
    ):
        operation = known[name]
        sizes = operation.sizes({axis.name: size for axis in operation.axes})
        yield operation, operation.variant(variant_name), sizes
    every = [(operation, variant) for operation in known.values() for variant in operation.variants]
    for large in (True, False):
        for operation, variant in every:
            bare = [axis.name for axis in operation.axes if axis.set_by_bare_size]
            if variant.max_elements is not None and not large:
                yield operation, variant, operation.sizes(dict.fromkeys(bare, SMALL[len(bare)]))
            elif variant.max_elements is None:
                chosen = dict.fromkeys(bare, LARGE[len(bare)]) if large else {}
                yield operation, variant, operation.sizes(chosen)


def _atomic_kernels() -> Iterator[tuple[Operation, Variant, dict[str, int]]]:
    known = discover()
    for name, size in (("histogram", 10**6), ("reduce_sum", 10**6), ("reduce_sum", 28_000_000)):
        operation = known[name]
        bare = [axis.name for axis in operation.axes if axis.set_by_bare_size]
        yield operation, operation.variant("atomic"), operation.sizes(dict.fromkeys(bare, size))


def _fenced(
    backend: CudaBackend, operation: Operation, variant: Variant, sizes: Mapping[str, int]
) -> dict[str, Any]:
    """A kernel whose threads wait until their atomics have been done, before they end.

    Atomics that return nothing are sent off and done later: blocks end before them, the kernel
    after them.
    """
    text = read_source(operation, variant, "float32")
    fenced = re.sub(r"(atomicAdd\([^;]*\);)", r"{ \1 __threadfence(); }", text)
    launch = default_launch(variant, sizes, 4)
    values = make_arguments(operation, sizes, "float32", seed=1)
    name = f"{operation.name}/{variant.name} {'×'.join(map(str, sizes.values()))}, fenced"
    return _recorded(backend, name, Program(fenced, variant.entry, variant.file), launch, values)


def _row(
    backend: CudaBackend, operation: Operation, variant: Variant, sizes: Mapping[str, int]
) -> dict[str, Any]:
    name = f"{operation.name}/{variant.name} {'×'.join(map(str, sizes.values()))}"
    program = Program(read_source(operation, variant, "float32"), variant.entry, variant.file)
    launch = default_launch(variant, sizes, 4)
    values = make_arguments(operation, sizes, "float32", seed=1)
    return _recorded(backend, name, program, launch, values)


def _recorded(
    backend: CudaBackend,
    name: str,
    program: Program,
    launch: Launch,
    values: Values,
) -> dict[str, Any]:
    try:
        compiled = backend.compile(program)
        found = backend.timeline(compiled, launch, values, warps=True)
    except BackendError as error:
        return {"name": name, "error": str(error)}
    plain = occupancy(backend.device, launch, compiled.resources).blocks_per_sm
    return {
        "name": name,
        "occupancy_unrecorded": plain,
        "warps_per_block": launch.warps_per_block,
        "atomic_on_global": "atomicAdd(" in program.text,
        "fenced": "__threadfence(" in program.text,
        **_figures(found),
    }


def _figures(found: BlockTimeline) -> dict[str, Any]:
    busy = found.busy_seconds()
    used = np.unique(found.sm)
    return {
        "blocks": found.blocks,
        "stride": found.stride,
        "sms": len(used),
        "slots": found.slots,
        "most_resident": found.most_resident,
        "most_warps": found.most_warps_resident,
        "waves": found.waves,
        "duration_s": found.duration_s,
        "kernel_s": found.kernel_s,
        "slowed": found.slowed,
        "resolution_s": found.resolution_s,
        "busy_sum_s": sum(busy.values()),
        "tail_sum_s": _tails(found),
        "busy_low_s": min(busy.values()),
        "busy_high_s": max(busy.values()),
    }


def _tails(found: BlockTimeline) -> float:
    """Time from each SM's last end to the launch's, in sum."""
    last = [found.end_s[found.sm == sm].max() for sm in np.unique(found.sm)]
    return float(sum(found.duration_s - end for end in last))


def _checks(rows: list[dict[str, Any]], sms: int) -> dict[str, bool]:
    good = [row for row in rows if "error" not in row]
    for row in good:
        row["occupancy"] = row["slots"] // sms
        row["fits"] = row["busy_sum_s"] / (sms * row["duration_s"])
        row["tail"] = row["tail_sum_s"] / (sms * row["duration_s"])
    whole = [row for row in good if row["stride"] == 1]
    wide = [row for row in good if row["blocks"] // row["stride"] >= 8 * sms]
    full = [row for row in whole if row["blocks"] >= FULL_WAVES * row["slots"]]
    plain = [row for row in full if not row["atomic_on_global"]]
    waited = [row for row in good if row["fenced"] or not row["atomic_on_global"]]
    long = [row for row in good if row["kernel_s"] >= LONG_S]
    return {
        f"as many SMs as the device has ({len(wide)} launches)": all(
            row["sms"] == sms for row in wide
        ),
        f"no SM has more warps at once than its occupancy ({len(whole)} launches)": all(
            row["most_warps"] <= row["occupancy"] * row["warps_per_block"] for row in whole
        ),
        "recorded span is the time by events, less what a launch costs "
        f"({len(waited)}, none with atomics that are still on their way)": all(
            0 <= row["kernel_s"] - row["duration_s"] <= LAUNCH_S + BUSY_FITS * row["kernel_s"]
            for row in waited
        ),
        f"time with blocks on the SMs within 5 % of span × SMs, less the tail ({len(plain)} "
        f"launches of {FULL_WAVES} waves, no atomics on global memory)": bool(plain)
        and all(1 - BUSY_FITS <= row["fits"] + row["tail"] <= 1 for row in plain),
        f"recording costs less than 10 % from 90 µs on ({len(long)} launches)": bool(long)
        and all(row["slowed"] < MOST_SLOWED for row in long),
    }


def _tricky(backend: CudaBackend, name: str, text: str) -> dict[str, Any]:
    count = 1_000_000
    values: Values = {"a": np.ones(count, dtype=np.float32), "n": np.int32(count)}
    shared = 512 if "dynamic" in name else 0
    launch = Launch(Dim3(ceil_div(count, 128)), Dim3(128), shared)
    return _recorded(backend, name, Program(text, "k"), launch, values)


def _sampled(backend: CudaBackend) -> dict[str, Any]:
    operation, variant, sizes = _vector_add(10**8)
    program = Program(read_source(operation, variant, "float32"), variant.entry)
    values = make_arguments(operation, sizes, "float32", seed=1)
    launch = replace(
        default_launch(variant, sizes, 4), grid=Dim3(ceil_div(10**8, 32)), block=Dim3(32)
    )
    return _recorded(backend, "vector_add 100M, 32 threads", program, launch, values)


def _vector_add(size: int) -> tuple[Operation, Variant, dict[str, int]]:
    operation = discover()["vector_add"]
    return operation, operation.variant("grid"), operation.sizes({"n": size})


def _raw(backend: CudaBackend, name: str, variant_name: str | None, size: int) -> dict[str, Any]:
    operation = discover()[name]
    variant = operation.variant(variant_name)
    sizes = operation.sizes({axis.name: size for axis in operation.axes})
    compiled = backend.compile(Program(read_source(operation, variant, "float32"), variant.entry))
    launch = default_launch(variant, sizes, 4)
    values = make_arguments(operation, sizes, "float32", seed=1)
    found = backend.timeline(compiled, launch, values)
    return {
        "name": f"{name}/{variant.name} {size}",
        "grid": tuple(launch.grid),
        "block": tuple(launch.block),
        "slots": found.slots,
        "waves": found.waves,
        "kernel_s": found.kernel_s,
        "slowed": found.slowed,
        "resolution_s": found.resolution_s,
        "sm": found.sm.tolist(),
        "start_ns": np.rint(found.start_s * 1e9).astype(int).tolist(),
        "end_ns": np.rint(found.end_s * 1e9).astype(int).tolist(),
        "wave": found.wave.tolist(),
    }


def _line(row: Mapping[str, Any]) -> str:
    return (
        f"{row['name']:<40} {row['blocks']:>9,} blocks /{row['stride']} on {row['sms']} SMs, "
        f"at once {row['most_resident']} of {row['occupancy']} blocks, "
        f"{row['most_warps']} of {row['occupancy'] * row['warps_per_block']} warps, "
        f"{row['kernel_s'] * 1e6:9.1f} µs by events, {row['duration_s'] * 1e6:9.1f} recorded, "
        f"busy {row['fits']:.3f}, tail {row['tail']:.3f}, slowed {row['slowed']:+.1%}, "
        f"step {row['resolution_s'] * 1e9:.0f} ns"
    )
