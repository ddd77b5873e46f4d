# SPDX-License-Identifier: MIT
"""How fast the emulator is: ``python tests/benchmarks/emulator.py``.

Prints, for one run on this machine, plain and observed launches beside a C loop at -O3 on one core.
Times are the best of several: other programs only make them longer.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("app", "kernels", "assets")]

from threadloom.backends.emulator import EmulatorBackend  # noqa: E402
from threadloom.backends.toolchain import compile_shared  # noqa: E402
from threadloom.model.array import Array, Value  # noqa: E402
from threadloom.model.dim3 import Dim3  # noqa: E402
from threadloom.model.launch import Launch  # noqa: E402
from threadloom.model.program import Program  # noqa: E402
from threadloom.services.devices import device_table  # noqa: E402

ADD = """__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
NAIVE = """__global__ void mm(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
"""
TILED = """#define T 16
__global__ void mm(float *c, const float *a, const float *b, int n) {
    __shared__ float sa[T][T], sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * T + tx, y = blockIdx.y * T + ty;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += T) {
        sa[ty][tx] = a[y * n + k0 + tx];
        sb[ty][tx] = b[(k0 + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < T; ++k) s += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    c[y * n + x] = s;
}
"""
LOOP = """void mm(float *c, const float *a, const float *b, int n) {
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            float s = 0;
            for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
            c[y * n + x] = s;
        }
}
"""


def best(call: Callable[[], float], times: int = 7) -> float:
    """The shortest of several, in milliseconds."""
    return min(call() for _ in range(times)) * 1e3


def measure(workers: int, text: str, entry: str, launch: Launch, **arguments: Value) -> list[float]:
    """Compile cold and warm, then run plain and observed; milliseconds."""
    engine = EmulatorBackend(device_table.find("RTX 4090"), workers=workers)
    edited = text + f"// {time.time_ns()}\n"
    start = time.perf_counter()
    compiled = engine.compile(Program(edited, entry))
    compile_ms = (time.perf_counter() - start) * 1e3
    start = time.perf_counter()
    engine.trace(compiled, launch, arguments)
    first_ms = (time.perf_counter() - start) * 1e3
    plain = best(lambda: engine.run(compiled, launch, arguments).elapsed_s)
    observed = best(lambda: engine.trace(compiled, launch, arguments).trace.elapsed_s)
    return [compile_ms, first_ms, plain, observed]


def c_loop(n: int, a: Array, b: Array) -> float:
    """The same product by one thread; milliseconds."""
    library = ctypes.CDLL(str(compile_shared({"mm.c": LOOP}, ["-O3", "-march=native"])))
    c = np.empty_like(a)

    def once() -> float:
        start = time.perf_counter()
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (c, a, b)]
        library.mm(*pointers, n)
        return time.perf_counter() - start

    return best(once)


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(0)
    n, m = 1_000_000, 256
    x, y = rng.random(n, np.float32), rng.random(n, np.float32)
    a, b = rng.random((m, m), np.float32), rng.random((m, m), np.float32)
    tiles = Launch(Dim3(m // 16, m // 16), Dim3(16, 16))
    vectors: dict[str, Value] = {"a": x, "b": y, "c": x * 0, "n": np.int32(n)}
    matrices: dict[str, Value] = {"c": a * 0, "a": a, "b": b, "n": np.int32(m)}
    loop = c_loop(m, a, b)
    heads = ("compile", "1st obs.", "plain", "observed", "obs/plain", "plain/loop")
    print(f"{'milliseconds':24}" + "".join(f"{head:>12}" for head in heads))
    for workers in (1, 2):
        rows = {
            "vector add 1 M": measure(
                workers, ADD, "add", Launch(Dim3(3907), Dim3(256)), **vectors
            ),
            "naive matmul 256³": measure(workers, NAIVE, "mm", tiles, **matrices),
            "tiled matmul 256³": measure(workers, TILED, "mm", tiles, **matrices),
        }
        for name, row in rows.items():
            share = f"{row[3] / row[2]:12.1f}" + (f"{row[2] / loop:12.2f}" if "mat" in name else "")
            print(f"{name}, {workers} core{'s' * (workers > 1)}".ljust(24), end="")
            print("".join(f"{value:12.2f}" for value in row) + share)
    print(f"C loop at -O3, matmul 256³: {loop:.2f} ms")


if __name__ == "__main__":
    main()
