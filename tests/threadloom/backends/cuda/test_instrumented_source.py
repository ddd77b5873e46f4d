# SPDX-License-Identifier: MIT
"""The clock that is put into a kernel: where it goes, and that nvcc takes it everywhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from threadloom.backends.cuda.instrumented_source import RECORDING, Clock, chosen, recorded_source
from threadloom.backends.nvcc.cubin import symbol_of
from threadloom.backends.nvcc.toolkit import find_nvcc
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom_kernels import discover, read_source

PLAIN = """\
__global__ void first(float *a) { a[0] = 1; }
__global__ void second(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    a[i] = 2;
}
"""
TRICKY = {
    "extern C": 'extern "C" __global__ void k(int *a) { if (threadIdx.x) return; a[0] = 1; }',
    "extern C block": 'extern "C" {\n__global__ void k(int *a)\n{ a[0] = 1; }\n}',
    "template": (
        "template <typename T, int N> __global__ void k(T *a) { a[threadIdx.x % N] = T(N); }\n"
        "template __global__ void k<float, 4>(float *);"
    ),
    "launch bounds": "__global__ void __launch_bounds__(128, 4) k(int *a) { a[threadIdx.x] = 1; }",
    "bounds first": "__launch_bounds__(64) __global__ void k(int *a) { a[threadIdx.x] = 1; }",
    "namespace": "namespace deep { __global__ void k(int *a) { a[0] = 1; } }",
    "shared": (
        "extern __shared__ float pool[];\n"
        "__global__ void k(float *a) { __shared__ float s[32]; s[threadIdx.x % 32] = a[0];\n"
        "__syncthreads(); pool[threadIdx.x] = s[0]; __syncthreads(); a[0] = pool[1]; }"
    ),
    "include and names": (
        "#include <cuda_fp16.h>\n#define lane 3\n#define now 4\n"
        "__global__ void k(__half *a) { int one = lane + now; a[one] = a[0]; }"
    ),
    "declared before": "__global__ void k(int *a);\n__global__ void k(int *a) { a[0] = 1; }",
    "calls": (
        "__device__ int twice(int x) { return 2 * x; }\n"
        "__global__ void k(int *a) { for (int i = 0; i < 9; i++) if (twice(i) > 8) return; }"
    ),
}

needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="needs CUDA's compiler")


def test_only_the_kernel_that_is_asked_for_gets_a_clock_and_lines_stay() -> None:
    clock, directive, *rest = recorded_source(PLAIN, "second").splitlines()
    assert directive == "#line 1"
    assert RECORDING in clock
    lines = PLAIN.splitlines()
    changed = [number for number, line in enumerate(lines) if rest[number] != line]
    assert len(rest) == len(lines)
    assert changed == [2]
    assert rest[2] == "{ ::ThreadloomClock threadloom_clock;"


def test_an_unknown_kernel_is_refused() -> None:
    with pytest.raises(KeyError, match="third"):
        recorded_source(PLAIN, "third")


@needs_nvcc
@pytest.mark.parametrize("name", TRICKY)
def test_nvcc_takes_it_whatever_the_kernel_looks_like(name: str, tmp_path: Path) -> None:
    cubin, _log = compiled(recorded_source(TRICKY[name], "k"), tmp_path)
    assert symbol_of("k", cubin)
    assert RECORDING.encode() in cubin


@needs_nvcc
def test_it_needs_few_registers_and_no_stack(tmp_path: Path) -> None:
    operation = discover()["vector_add"]
    variant = operation.variant("grid")
    source = read_source(operation, variant, "float32")
    plain = registers(compiled(source, tmp_path)[1])
    for clock, more in ((Clock(flat_grid=True, flat_block=True), 4), (Clock(wide=True), 8)):
        recorded = registers(compiled(recorded_source(source, variant.entry, clock), tmp_path)[1])
        assert recorded <= plain + more


def test_a_clock_counts_only_what_the_launch_uses() -> None:
    line = Launch(Dim3(7), Dim3(64))
    plane = Launch(Dim3(7, 2), Dim3(8, 8))
    assert Clock.of(line) == Clock(flat_grid=True, flat_block=True)
    assert Clock.of(plane, wide=True) == Clock(wide=True)
    assert "gridDim" not in recorded_source(PLAIN, "first", Clock.of(line))
    assert "gridDim.y" in recorded_source(PLAIN, "first", Clock.of(plane))
    assert "globaltimer_lo" in recorded_source(PLAIN, "first", Clock.of(line))


@pytest.mark.parametrize("sms", [108, 132, 128])
@pytest.mark.parametrize("shift", [1, 2, 3, 5])
def test_a_sample_meets_all_sms_however_regularly_blocks_go_round_them(
    sms: int, shift: int
) -> None:
    numbers = [(group << shift) + chosen(group, shift) for group in range(4000)]
    assert all(number >> shift == group for group, number in enumerate(numbers))
    assert {number % sms for number in numbers} == set(range(sms))


@needs_nvcc
def test_messages_name_the_users_lines(tmp_path: Path) -> None:
    text = recorded_source("\n\n__global__ void k(int *a) { a[0] = 1; }\nint x = nothing;", "k")
    done = nvcc(text, tmp_path)
    assert done.returncode
    assert re.search(r"source\.cu\(4\)", done.stdout + done.stderr)


def compiled(text: str, folder: Path) -> tuple[bytes, str]:
    done = nvcc(text, folder)
    assert done.returncode == 0, done.stderr
    return (folder / "source.cubin").read_bytes(), done.stderr


def nvcc(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "source.cu"
    file.write_text(text)
    command = [str(find_nvcc()), "-arch=sm_90", "-cubin", "-Xptxas", "-v", str(file)]
    return subprocess.run(
        [*command, "-o", str(folder / "source.cubin")], capture_output=True, text=True, check=False
    )


def registers(log: str) -> int:
    found = re.search(r"Used (\d+) registers", log)
    assert found
    return int(found[1])
