# SPDX-License-Identifier: MIT
"""Kernels compiled for device models by NVIDIA's own compiler."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.paths import DATA_FOLDER

from threadloom.backends.nvcc import (
    CannotCompileError,
    DeviceCompiler,
    assemble,
    find_driver,
    find_nvrtc,
)
from threadloom.backends.nvcc.result_cache import KeptResults
from threadloom.model.device import DeviceModel
from threadloom.model.program import Program, Resources
from threadloom.model.severity import Severity
from threadloom_kernels import discover, read_source

DATA = DATA_FOLDER
CASES = DATA / "cases"

ARRAY = """\
__constant__ float weights[10];
__global__ void k(float *x, int n)
{
    __shared__ float s[3];
    float v[300];
    for (int i = 0; i < 300; ++i) v[i] = x[i] * weights[i % 10];
    s[0] = v[(int)x[0] % n];
    x[0] = v[(int)s[(int)x[3] % 3] % n];
}
"""
TEMPLATE = """\
#include <cfloat>
template <typename T, int N>
__global__ void fill(T *x) { x[threadIdx.x] = N == 0 ? (T)FLT_MAX : (T)N; }
__global__ void other(double *x) { x[threadIdx.x] = sqrt(x[threadIdx.x]); }
"""
WITH_HOST = """\
#include <cstdio>
#include <cmath>
#include <vector>
#include "/etc/hostname"
#include <cuda_fp16.h>
using namespace std;
int main() { std::vector<int> v(3); printf("%d", (int)v.size()); return 0; }
__global__ void k(__half *x, uint32_t *u, int n)
{
    if (threadIdx.x < n) x[threadIdx.x] = __float2half(u[0] == UINT_MAX ? INFINITY : (float)M_PI);
    if (isnan(__half2float(x[0]))) printf("%f", NAN);
}
"""


def of_case(name: str) -> Program:
    """The kernel of a case, without the line that PyCUDA adds."""
    content = json.loads((CASES / name / "case.json").read_text())
    source = (CASES / name / "kernel.cu").read_text()
    if content.get("wrapped"):
        source = source.removeprefix('extern "C" {\n').rstrip().removesuffix("}")
    return Program(source, content["kernel"])


def resources_of(
    program: Program, device: DeviceModel, compiler: DeviceCompiler, kept: KeptResults, **more: Any
) -> Resources:
    answer = assemble(program, device, compiler, kept=kept, **more)
    assert not answer.errors
    assert answer.resources is not None
    return answer.resources


def test_registers_and_what_they_leave_room_for(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    found = resources_of(of_case("a11-registers-1024"), h200, either, kept)
    assert found.registers is not None
    assert 96 < found.registers <= 168
    assert found.max_threads_per_block in {384, 512}
    assert (found.shared_bytes, found.local_bytes, found.spill_bytes) == (0, 0, 0)


def test_all_kinds_of_memory(either: DeviceCompiler, h200: DeviceModel, kept: KeptResults) -> None:
    found = resources_of(Program(ARRAY, "k"), h200, either, kept)
    assert found.shared_bytes == 12
    assert found.constant_bytes == 40
    assert found.local_bytes == 1200
    assert found.spill_bytes == 0


def test_few_registers_spill(either: DeviceCompiler, h200: DeviceModel, kept: KeptResults) -> None:
    program = replace(of_case("a11-registers-1024"), options=("-maxrregcount", "32", "-O2"))
    found = resources_of(program, h200, either, kept)
    assert found.registers == 32
    assert found.spill_bytes
    assert found.spill_bytes > 200
    assert found.max_threads_per_block == 1024


def test_the_chosen_instance_is_told(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    program = Program(TEMPLATE, "fill")
    single = resources_of(program, h200, either, kept, instance="fill<float, 0>")
    double = resources_of(program, h200, either, kept, instance="fill<double, 3>")
    other = resources_of(replace(program, entry="other"), h200, either, kept)
    assert single.registers is not None
    assert double.registers is not None
    assert other.registers is not None
    assert other.registers > max(single.registers, double.registers)


def test_host_code_and_its_headers_do_no_harm(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    assert resources_of(Program(WITH_HOST, "k"), h200, either, kept).registers


def test_too_much_shared_memory_is_refused_at_the_kernels_line(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    answer = assemble(of_case("a13-static-shared-48k"), h200, either, kept=kept)
    assert answer.resources is None
    (error,) = answer.errors
    assert (error.severity, error.line) == (Severity.ERROR, 1)
    assert "'mirror' uses too much shared data (0xc004 bytes, 0xc000 max)" in str(error.message)
    assert error.raw.startswith("ptxas error")


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("__global__ void k(float *x, int n)\n{\n  x[n] = y;\n}", 3, 10, '"y" is undefined'),
        ("__global__ int k(float *x)\n{\n  return 1;\n}", 1, None, "void return type"),
        ("__global__ void k(float *x)\n{\n\tint i = 0\n\tx[i] = 1;\n}", 4, 2, 'expected a ";"'),
        ("__global__ void k(float *x)\n{\n  __shared__ int s = 1;\n}", 3, None, "initializer"),
        ("int N;\n__global__ void k(int *x)\n{\n  x[0] = N;\n}", 4, 10, '"N" is undefined'),
    ],
)
def test_errors_have_the_users_line_and_column(
    either: DeviceCompiler,
    h200: DeviceModel,
    kept: KeptResults,
    source: str,
    line: int,
    column: int | None,
    words: str,
) -> None:
    answer = assemble(Program(source, "k"), h200, either, kept=kept)
    (error,) = answer.errors
    assert error.line == line
    assert column in {None, error.column}
    assert words in str(error.message)


def test_errors_outside_device_code_say_nothing(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    """A claim of the host alone is not told from one of the device."""
    source = "static_assert(sizeof(std::string));\n__global__ void k(int *x) { x[0] = 1; }\n"
    answer = assemble(Program(source, "k"), h200, either, kept=kept)
    assert (answer.resources, answer.errors) == (None, ())


def test_an_architecture_that_is_not_known_says_nothing(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    old = replace(h200, compute_capability=(3, 0))
    answer = assemble(of_case("a01-block-2000"), old, either, kept=kept)
    assert (answer.resources, answer.errors) == (None, ())


def test_without_a_host_compiler_nvcc_says_nothing_and_nvrtc_all(
    h200: DeviceModel, kept: KeptResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvrtc, nvcc = find_nvrtc(), find_driver()
    monkeypatch.setenv("PATH", str(tmp_path))
    if nvcc is not None:
        with pytest.raises(CannotCompileError):
            nvcc.compile("", "sm_90", ())
    if nvrtc is None:
        pytest.skip("NVRTC (the extra nvcc) is not installed")
    assert resources_of(Program(ARRAY, "k"), h200, nvrtc, kept).registers


def test_the_second_time_nothing_is_compiled(h200: DeviceModel, kept: KeptResults) -> None:
    class Counted:
        identity = "counted"
        path = Path("nowhere")

        def __init__(self) -> None:
            self.calls = 0

        def compile(self, text: str, *_more: object) -> Any:
            self.calls += 1
            from threadloom.backends.nvcc.compile_output import Made

            return Made(None, f'kernel.cu(1): error: no "{text[:3]}"\n', "")

    counted = Counted()
    program = Program("__global__ void k() {}", "k")
    first = assemble(program, h200, counted, kept=kept)
    assert assemble(program, h200, counted, kept=kept) == first
    assert counted.calls == 1
    assemble(replace(program, options=("-G",)), h200, counted, kept=kept)
    assemble(program, replace(h200, compute_capability=(8, 9)), counted, kept=kept)
    assert counted.calls == 3


def _recorded() -> list[Any]:
    rows = json.loads((DATA / "gpu" / "operations-h200.json").read_text())["rows"]
    kernels = {(r["operation"], r["variant"], r["dtype"]): r for r in rows if r.get("resources")}
    return list(kernels.values())


def test_a_gpus_driver_told_the_same(compiler: DeviceCompiler, h200: DeviceModel) -> None:
    """Resources of all operations' kernels as an H200's driver gave them, compiled by nvcc 13.0.

    Another release may choose other registers, but by little and seldom.
    """
    operations = discover(None)
    same = 0
    for row in _recorded():
        operation = operations[row["operation"]]
        variant = next(v for v in operation.variants if v.name == row["variant"])
        program = Program(read_source(operation, variant, row["dtype"]), variant.entry)
        found, told = assemble(program, h200, compiler).resources, Resources(**row["resources"])
        assert found is not None
        assert found.registers is not None
        assert told.registers is not None
        assert (found.shared_bytes, found.local_bytes, found.constant_bytes) == (
            told.shared_bytes,
            told.local_bytes,
            told.constant_bytes,
        )
        assert found.registers == pytest.approx(told.registers, rel=0.25, abs=4)
        assert found.max_threads_per_block == told.max_threads_per_block
        same += found.registers == told.registers
    assert same >= 0.8 * len(_recorded()) > 20


def test_a_type_that_only_the_host_uses_is_left_out(
    either: DeviceCompiler, h200: DeviceModel, kept: KeptResults
) -> None:
    source = "struct Options { std::string name; };\n__global__ void k(int *x) { x[0] = 1; }\n"
    answer = assemble(Program(source, "k"), h200, either, kept=kept)
    assert (answer.resources is not None, answer.errors) == (True, ())
