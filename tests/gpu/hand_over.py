# SPDX-License-Identifier: MIT
"""When a GPU gives a block's place away: when its last warp has ended, or warp by warp.

Warps of a block spin for 10, 20, 30 … µs. If a new block waits for a whole old one to end, no SM
ever holds more blocks than its occupancy. If places are given away warp by warp, it does, but never
more warps. A barrier at the end, or shared memory as what limits the blocks, must bring the number
of blocks back to the occupancy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from threadloom.backends.cuda import CudaBackend
from threadloom.model.array import Array, Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Program
from threadloom.model.timeline import BlockTimeline

WAVES = 3
SHARED_BYTES = 40 * 1024
SOURCE = """\
__global__ void k(float *a, int n) {
    extern __shared__ float pool[];
    long long until = clock64() + (threadIdx.x / 32 + 1) * 20000ll;
    while (clock64() < until) { }
    if (n == 1) { pool[threadIdx.x] = a[0]; a[1] = pool[0]; }
    %s
}
"""
KERNELS = {
    "warps end apart": ("", 0),
    "a barrier at the end": ("__syncthreads();", 0),
    "shared memory limits": ("", SHARED_BYTES),
}


def hand_over(backend: CudaBackend) -> dict[str, Any]:
    """Rows, checks and lines; the records of one SM of each kernel are kept whole."""
    rows = [_row(backend, name, *how) for name, how in KERNELS.items()]
    apart, barrier, shared = rows
    by_warp = apart["most_blocks"] > apart["occupancy"]
    checks = {
        "no SM has more warps at once than it has places (3 kernels made for it)": all(
            row["most_warps"] <= row["occupancy"] * row["warps_per_block"]
            for row in (apart, barrier)
        ),
        "blocks whose warps end together never exceed the occupancy": (
            barrier["most_blocks"] <= barrier["occupancy"]
        ),
        "blocks that shared memory limits never exceed the occupancy": (
            shared["most_blocks"] <= shared["occupancy"]
        ),
    }
    word = "warp by warp" if by_warp else "block by block"
    lines = [f"places are given away {word}"]
    lines += [
        f"{row['name']}: {row['most_blocks']} of {row['occupancy']} blocks, "
        f"{row['most_warps']} warps at once" + f"; {row['duration_us']:.0f} µs"
        for row in rows
    ]
    return {"rows": rows, "checks": checks, "summary": [f"hand-over: {line}" for line in lines]}


def _row(backend: CudaBackend, name: str, end: str, shared_bytes: int) -> dict[str, Any]:
    compiled = backend.compile(Program(SOURCE % end, "k"))
    block = Launch(Dim3(1), Dim3(256), shared_bytes)
    held = occupancy(backend.device, block, compiled.resources).blocks_per_sm
    grid = Dim3(WAVES * held * backend.device.sm_count)
    launch = Launch(grid, block.block, shared_bytes)
    values: Values = {"a": np.zeros(256, dtype=np.float32), "n": np.int32(0)}
    found = backend.timeline(compiled, launch, values, warps=True)
    return {
        "name": name,
        "occupancy": found.slots // backend.device.sm_count,
        "warps_per_block": launch.warps_per_block,
        "most_blocks": found.most_resident,
        "most_warps": found.most_warps_resident,
        "duration_us": found.duration_s * 1e6,
        "slowed": found.slowed,
        "one_sm": _one_sm(found),
    }


def _one_sm(found: BlockTimeline) -> dict[str, Any]:
    """Starts and ends in nanoseconds of all warps on SM 0, a row a block."""
    here = found.sm == 0
    assert found.warp_start_s is not None
    assert found.warp_end_s is not None
    return {
        "start_ns": _nanoseconds(found.warp_start_s[here]),
        "end_ns": _nanoseconds(found.warp_end_s[here]),
    }


def _nanoseconds(seconds: Array) -> list[list[int]]:
    rounded: list[list[int]] = np.rint(seconds * 1e9).astype(int).tolist()
    return rounded
