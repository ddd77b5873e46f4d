# SPDX-License-Identifier: MIT
"""When a GPU gives the places of a block's warps away.

Where the warps of all blocks spin for 10, 20, 30 … µs, no new block starts before whole old ones
end, though most warps have ended by then. Where one block of an SM ends while of the others one
warp is left each, several blocks start in its stead: an SM looks for places when a block ends, and
takes those of all warps that have ended, of whatever block. So it may hold more blocks at once than
its occupancy says, where the warps of blocks end apart, but never more warps. Shared memory that
limits the blocks keeps their number to the occupancy.
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
TOGETHER_S = 5e-6
"""Blocks that start within this time on an SM count as started together."""
FASTEST_GHZ = 2.1
"""The H200's highest clock is 1.98 GHz."""
SOURCE = """\
__global__ void k(float *a, int n) {
    extern __shared__ float pool[];
    unsigned place, first = gridDim.x / %d;
    asm volatile("mov.u32 %%0, %%%%warpid;" : "=r"(place));
    long long until = clock64() + (%s);
    while (clock64() < until) { }
    if (n == 1) { pool[threadIdx.x] = a[0]; a[1] = pool[0]; }
    %s
}
"""
APART = "(threadIdx.x / 32 + 1) * 20000ll"
FIRST_END, LAST_END = 60_000, 200_000
"""Cycles from its start to the end of the one block of an SM, and to that of the others' last
warps; all their other warps end after a third of the former."""
ONE_ENDS = (
    f"blockIdx.x >= first ? 30000ll : place < 8 ? {FIRST_END}ll : "
    f"threadIdx.x / 32 == 7 ? {LAST_END}ll : {FIRST_END // 3}ll"
)
"""Of the first blocks of each SM, the one whose warps have the first eight places is the one."""
KERNELS = {
    "warps end apart": (APART, "", 0),
    "a barrier at the end": (APART, "__syncthreads();", 0),
    "shared memory limits": (APART, "", SHARED_BYTES),
    "one block ends": (ONE_ENDS, "", 0),
}


def hand_over(backend: CudaBackend) -> dict[str, Any]:
    """Rows, checks and lines; the records of one SM of each kernel are kept whole."""
    rows = [_row(backend, name, *how) for name, how in KERNELS.items()]
    apart, barrier, shared, one = rows
    checks = {
        f"no SM has more warps at once than it has places ({len(rows)} kernels made for it)": all(
            row["most_warps"] <= row["occupancy"] * row["warps_per_block"] for row in rows
        ),
        "no block starts before one ends, whatever warps have ended": (
            apart["most_blocks"] <= apart["occupancy"]
            and one["first_new_us"] * 1e3 * FASTEST_GHZ > FIRST_END
        ),
        "where one ends, others take the places of warps that ended before": (
            one["new_at_once"] > 1 and one["most_blocks"] > one["occupancy"]
        ),
        "blocks whose warps end together never exceed the occupancy": (
            barrier["most_blocks"] <= barrier["occupancy"]
        ),
        "blocks that shared memory limits never exceed the occupancy": (
            shared["most_blocks"] <= shared["occupancy"]
        ),
    }
    lines = [
        f"{row['name']}: {row['most_blocks']} of {row['occupancy']} blocks, "
        f"{row['most_warps']} warps at once; {row['duration_us']:.0f} µs; new ones from "
        f"{row['first_new_us']:.1f} µs on, {row['new_at_once']:.0f} together"
        for row in rows
    ]
    return {"rows": rows, "checks": checks, "summary": [f"hand-over: {line}" for line in lines]}


def _row(
    backend: CudaBackend, name: str, ticks: str, end: str, shared_bytes: int
) -> dict[str, Any]:
    compiled = backend.compile(Program(SOURCE % (WAVES, ticks, end), "k"))
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
        **_newcomers(found, held),
        "one_sm": _one_sm(found),
    }


def _newcomers(found: BlockTimeline, held: int) -> dict[str, float]:
    """Medians over the SMs: when the first block after those of the start came, how many then."""
    first, together = [], []
    for sm in np.unique(found.sm):
        starts = np.sort(found.start_s[found.sm == sm])[held:]
        first.append(starts[0])
        together.append(int((starts < starts[0] + TOGETHER_S).sum()))
    return {
        "first_new_us": float(np.median(first)) * 1e6,
        "new_at_once": float(np.median(together)),
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
