# SPDX-License-Identifier: MIT
# mypy: ignore-errors
# What it imports is in the environment of the peers only.
"""Seconds in PoCL, an OpenCL for processors, as JSON; runs in the peers' environment."""

from __future__ import annotations

import json
import time

import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void add(__global const float *a, __global const float *b, __global float *c, int n) {
    int i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}
__kernel void naive(__global float *c, __global const float *a, __global const float *b, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
#define T 16
__kernel void tiled(__global float *c, __global const float *a, __global const float *b, int n) {
    __local float sa[T][T], sb[T][T];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * T + tx, y = get_group_id(1) * T + ty;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += T) {
        sa[ty][tx] = a[y * n + k0 + tx];
        sb[ty][tx] = b[(k0 + ty) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; ++k) s += sa[ty][k] * sb[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = s;
}
"""


def main() -> None:
    """Time the three kernels."""
    device = next(d for p in cl.get_platforms() if "Portable" in p.name for d in p.get_devices())
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    chance = np.random.default_rng(0)
    seconds: dict[str, float] = {}
    n = 1_000_000
    a, b = chance.random(n, np.float32), chance.random(n, np.float32)
    add = cl.Kernel(program, "add")
    size = (n + 255) // 256 * 256
    run = _launcher(context, queue, add, (size,), (256,), (a, b), n, last=True)
    seconds["vector add 1 M"] = _best(run)
    for side in (128, 256):
        m = chance.random((side, side), np.float32)
        for name in ("naive", "tiled"):
            product = cl.Kernel(program, name)
            run = _launcher(context, queue, product, (side, side), (16, 16), (m, m), side)
            seconds[f"{name} matmul {side}³"] = _best(run)
    print(json.dumps(seconds))


def _launcher(context, queue, kernel, size, group, inputs, n, last=False):
    flags = cl.mem_flags
    given = [cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a) for a in inputs]
    out = cl.Buffer(context, flags.WRITE_ONLY, inputs[0].nbytes)
    places = (*given, out) if last else (out, *given)

    def run() -> None:
        kernel(queue, size, group, *places, np.int32(n)).wait()

    return run


def _best(run) -> float:
    times = []
    for _time in range(15):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


if __name__ == "__main__":
    main()
