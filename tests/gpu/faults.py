# SPDX-License-Identifier: MIT
"""What goes wrong on a GPU: refused launches, failing and endless kernels, and what is said."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from threadloom.backends.base import BackendError, CompileError, LaunchError
from threadloom.backends.cuda import CudaBackend
from threadloom.model.array import Values
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.program import Program

GOOD = """\
typedef float real;
__global__ void add_one(real *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}
"""
ENDLESS = "__global__ void k(volatile float *a, int n) { while (n) a[0] += 1; }"
WILD = "__global__ void k(float *a, int n) { a[(size_t)n << 33] = 1; }"
TRAP = "#include <cassert>\n__global__ void k(float *a, int n) { assert(n == 0); }"
PRINTS = """\
#include <cstdio>
__global__ void k(float *a, int n) { printf("thread %d of %d\\n", threadIdx.x, n); }
"""
DYNAMIC = """\
__global__ void k(float *a, int n) {
    extern __shared__ float s[];
    s[threadIdx.x] = n;
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}
"""
TEMPLATE = """\
#include <cmath>
template <class T> __device__ T twice(T x) { return std::fabs(x) * 2; }
template <class T> __global__ void k(T *a, int n) { a[threadIdx.x] = twice(T(-n)); }
template __global__ void k<float>(float *, int);
"""
CHILDREN = ("endless", "wild", "assert")


def collect(_out: Path) -> dict[str, Any]:
    """Run every case; those that lose the context in a child."""
    backend = CudaBackend(0)
    cases = [*_refused(backend), *_legal(backend), *_compile_errors(backend)]
    cases += [_in_child("wild", "illegal memory access"), _in_child("assert", "assert")]
    cases += [_endless(backend)]
    wrong = [case for case in cases if not case["ok"]]
    summary = [f"{len(cases)} cases, {len(wrong)} not as expected"]
    summary += [f"{'' if c['ok'] else 'NOT OK '}{c['case']}: {c['words']}" for c in cases]
    return {"cases": cases, "ok": not wrong, "summary": summary}


def _values(count: int = 256, dtype: type = np.float32) -> Values:
    return {"a": np.zeros(count, dtype), "n": np.int32(count)}


def _refused(backend: CudaBackend) -> list[dict[str, Any]]:
    compiled = backend.compile(Program(GOOD, "add_one"))
    launches: dict[str, tuple[Launch, Values]] = {
        "block of 2048": (Launch(Dim3(1), Dim3(2048)), _values()),
        "grid of 0": (Launch(Dim3(0), Dim3(32)), _values()),
        "grid.y of 70000": (Launch(Dim3(1, 70_000), Dim3(32)), _values()),
        "block.z of 65": (Launch(Dim3(1), Dim3(1, 1, 65)), _values()),
        "300 KiB of shared memory": (Launch(Dim3(1), Dim3(32), 300 * 1024), _values()),
        "grid of -1": (Launch(Dim3(-1), Dim3(32)), _values()),
        "float64 for float*": (Launch(Dim3(1), Dim3(32)), _values(dtype=np.float64)),
    }
    cases = []
    for name, (launch, values) in launches.items():
        try:
            backend.run(compiled, launch, values)
            cases.append(_case(name, False, "it ran"))
        except LaunchError as error:
            cases.append(_case(name, not error.context_lost, str(error)))
    after = backend.run(compiled, Launch(Dim3(1), Dim3(256)), _values()).arrays["a"]
    return [*cases, _case("a good launch after them", bool((after == 1).all()), "it ran")]


def _legal(backend: CudaBackend) -> list[dict[str, Any]]:
    def shared() -> bool:
        compiled = backend.compile(Program(DYNAMIC, "k"))
        launch = Launch(Dim3(1), Dim3(256), backend.device.shared_per_block_optin)
        return bool((backend.run(compiled, launch, _values()).arrays["a"] == 256).all())

    def template() -> bool:
        compiled = backend.compile(Program(TEMPLATE, "k"))
        outputs = backend.run(compiled, Launch(Dim3(1), Dim3(256)), _values())
        return bool((outputs.arrays["a"] == 512).all())

    def prints() -> bool:
        compiled = backend.compile(Program(PRINTS, "k"))
        printed = backend.run(compiled, Launch(Dim3(1), Dim3(3)), _values()).printed
        return set(printed) == {f"thread {i} of 256" for i in range(3)}

    def cached() -> bool:
        return backend.compile(Program(GOOD, "add_one")).from_cache

    def nothing() -> bool:
        compiled = backend.compile(Program(GOOD, "add_one"))
        return backend.run(compiled, Launch(Dim3(1), Dim3(32)), _values(0)).arrays["a"].size == 0

    checks: dict[str, Callable[[], bool]] = {
        "all the shared memory that may be asked for": shared,
        "a template with a C++ header": template,
        "device printf": prints,
        "compiled again from the cache": cached,
        "an empty array": nothing,
    }
    return [_checked(name, check) for name, check in checks.items()]


def _checked(name: str, check: Callable[[], bool]) -> dict[str, Any]:
    try:
        return _case(name, check(), "as expected")
    except BackendError as error:
        return _case(name, False, str(error))


def _compile_errors(backend: CudaBackend) -> list[dict[str, Any]]:
    cases = []
    for name, text, line in (
        ("undefined name", GOOD.replace("a[i] += 1", "a[i] += b"), 4),
        ("missing header", f'\n#include "nothere.h"\n{GOOD}', 2),
        (
            "too much static shared memory",
            f"{DYNAMIC}".replace("extern __shared__ float s[]", "__shared__ float s[99999]"),
            1,
        ),
    ):
        entry = "k" if "void k" in text else "add_one"
        try:
            backend.compile(Program(text, entry))
            cases.append(_case(name, False, "it compiled"))
        except CompileError as error:
            first = error.diagnostics[0]
            where = f"line {first.line}, column {first.column}: {first.message}"
            cases.append(_case(name, first.line == line, where))
    return cases


def _in_child(name: str, words: str) -> dict[str, Any]:
    done = subprocess.run(_command(name), capture_output=True, text=True, timeout=30, check=False)
    said = done.stdout.strip()
    return _case(name, words in said and "lost True" in said and done.returncode == 0, said)


def _endless(backend: CudaBackend) -> dict[str, Any]:
    """Kill a child whose kernel spins, and see how soon the GPU serves others again."""
    compiled = backend.compile(Program(GOOD, "add_one"))
    with subprocess.Popen(_command("endless"), stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = child.stdout.readline().strip()
        time.sleep(1.5)
        ran_on = child.poll() is None
        child.kill()
        begin = time.perf_counter()
        child.wait()
        backend.run(compiled, Launch(Dim3(1), Dim3(32)), _values())
        freed = time.perf_counter() - begin
    return _case("endless", ran_on and freed < 5, f"{said}; killed, GPU free after {freed:.3f} s")


def _command(name: str) -> list[str]:
    return [sys.executable, "-m", "tests.gpu.faults", name]


def _case(name: str, ok: bool, words: str) -> dict[str, Any]:
    return {"case": name, "ok": ok, "words": words}


def _child(name: str) -> None:
    backend = CudaBackend(0)
    source = {"endless": ENDLESS, "wild": WILD, "assert": TRAP}[name]
    compiled = backend.compile(Program(source, "k"))
    if name == "endless":
        print("spinning", flush=True)
    try:
        backend.run(compiled, Launch(Dim3(1), Dim3(1)), _values())
    except LaunchError as error:
        print(f"{error} lost {error.context_lost}", flush=True)


if __name__ == "__main__":
    _child(sys.argv[1])
