# SPDX-License-Identifier: MIT
"""Our occupancy against the driver's own function, for many kernels and launches."""

from __future__ import annotations

import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.gpu.driver_library import (
    MAX_DYNAMIC,
    MAX_THREADS,
    REGISTERS,
    STATIC_SHARED,
    DriverLibrary,
)

from threadloom.backends.cuda import find_gpus
from threadloom.backends.nvcc.toolkit import nvcc
from threadloom.model.device import DeviceModel
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.occupancy import occupancy
from threadloom.model.program import Resources

LAUNCHES = 12_000
KEPT = 3_000
"""Rows that are recorded beside all that differ."""
SOURCE = """\
extern "C" __global__ void k(float *a, int n) {
#if STATIC
    __shared__ char fixed[STATIC];
    fixed[threadIdx.x % STATIC] = n;
    __syncthreads();
    a[1] = fixed[(threadIdx.x * 7) % STATIC];
#endif
    float v[200];
#pragma unroll
    for (int i = 0; i < 200; i++) v[i] = a[i * n + threadIdx.x];
    for (int r = 0; r < n; r++)
#pragma unroll
        for (int i = 0; i < 200; i++) v[i] = v[i] * v[(i + 1) % 200] + r;
#pragma unroll
    for (int i = 0; i < 200; i++) a[i * n + threadIdx.x] = v[i];
}
"""
REGISTER_LIMITS = (16, 24, 32, 33, 40, 41, 48, 56, 64, 65, 72, 80, 96, 104, 128, 136, 168, 200, 255)
STATIC_SIZES = (0, 1, 1000, 4096, 12_289, 32_768, 49_152)


def collect(_out: Path) -> dict[str, Any]:
    """Compare and list what differs."""
    device = find_gpus()[0]
    library = DriverLibrary()
    chance = random.Random(5)
    rows: list[dict[str, int]] = []
    wanted = [(limit, chance.choice(STATIC_SIZES)) for limit in REGISTER_LIMITS * 2]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        cubins = list(pool.map(lambda w: _compile(Path(folder), device, *w), wanted))
    with library.primary_context():
        kernels = [library.function(cubin, "k") for cubin in cubins]
        for number in range(LAUNCHES):
            kernel = kernels[number % len(kernels)]
            rows.append(_row(library, device, kernel, chance))
    wrong = [row for row in rows if row["ours"] != row["driver"]]
    registers = sorted({row["registers"] for row in rows})
    summary = [
        f"{len(rows)} launches of {len(kernels)} kernels with {registers[0]} to {registers[-1]} "
        f"registers: {len(wrong)} differ from the driver's occupancy"
    ]
    summary += [str(row) for row in wrong[:10]]
    return {
        "device": asdict(device),
        "launches": len(rows),
        "columns": list(rows[0]),
        "rows": [list(row.values()) for row in rows[:KEPT]],
        "wrong": wrong[:100],
        "ok": not wrong,
        "summary": summary,
    }


def _compile(folder: Path, device: DeviceModel, registers: int, static: int) -> bytes:
    source, target = folder / f"{registers}_{static}.cu", folder / f"{registers}_{static}.cubin"
    source.write_text(SOURCE, "utf-8")
    options = [f"-maxrregcount={registers}", f"-DSTATIC={static}", "-arch", device.architecture]
    command = [str(nvcc()), "--cubin", *options, str(source), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    return target.read_bytes()


def _row(
    library: DriverLibrary, device: DeviceModel, kernel: Any, chance: random.Random
) -> dict[str, int]:
    used = Resources(
        registers=library.attribute(kernel, REGISTERS),
        shared_bytes=library.attribute(kernel, STATIC_SHARED),
        max_threads_per_block=library.attribute(kernel, MAX_THREADS),
    )
    threads = chance.choice((32, 64, 128, 256, 512, 1024, chance.randint(1, 1024)))
    room = device.shared_per_block_optin - used.shared_bytes
    dynamic = chance.choice((0, chance.randint(0, 8192), chance.randint(0, room)))
    if used.shared_bytes + dynamic > 48 * 1024:
        library("cuFuncSetAttribute", kernel, MAX_DYNAMIC, dynamic)
    launch = Launch(Dim3(1), Dim3(threads), dynamic)
    return {
        "threads": threads,
        "registers": used.registers or 0,
        "static_bytes": used.shared_bytes,
        "dynamic_bytes": dynamic,
        "max_threads": used.max_threads_per_block or 0,
        "ours": occupancy(device, launch, used).blocks_per_sm,
        "driver": library.blocks_per_sm(kernel, threads, dynamic),
    }
