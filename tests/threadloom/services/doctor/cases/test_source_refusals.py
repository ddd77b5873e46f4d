# SPDX-License-Identifier: MIT
"""What a compiler or the lookup of a kernel refuses of a source, told before either."""

from typing import Any

import pytest

from threadloom.backends.source import parse
from threadloom.model.apply_fix import apply_edit
from threadloom.services.doctor.cases import Case
from threadloom.services.doctor.cases.lookup import refused_name, source_name
from threadloom.services.doctor.cases.source_checks.c_linkage import refused_in_c
from threadloom.services.doctor.cases.source_checks.headers import refused_headers
from threadloom.services.doctor.cases.source_checks.host_calls import refused_host_code

KERNEL = "__global__ void k(float *x, int n) { x[0] = n; }\n"


def case_of(source: str, **more: Any) -> Case:
    """A case around a source."""
    return Case("", more.pop("kernel", "k"), source, (), (1, 1, 1), (1, 1, 1), **more)


def headers(*names: str, **more: Any) -> list[str]:
    """Kinds of what is said of including these."""
    source = "".join(f"#include {name}\n" for name in names) + KERNEL
    return [f.kind for f in refused_headers(case_of(source, **more), parse(source))]


def test_headers_that_are_nowhere() -> None:
    known = (
        "<stdio.h>",
        "<cmath>",
        "<vector>",
        '"cuda_runtime.h"',
        "<cub/cub.cuh>",
        "<sys/time.h>",
    )
    assert headers(*known) == []
    assert headers('"helper_math.h"', "<cutil.h>") == ["header-missing"] * 2
    assert headers('"helper_math.h"', include_dirs=True) == []
    conditional = f'#if 0\n#include "gone.h"\n#endif\n{KERNEL}'
    assert list(refused_headers(case_of(conditional), parse(conditional))) == []


def test_headers_with_cpp_within_extern_c() -> None:
    cpp = (
        "<vector>",
        "<curand_kernel.h>",
        "<cooperative_groups.h>",
        "<cuda_fp16.h>",
        "<thrust/sort.h>",
    )
    assert headers(*cpp) == []
    assert headers(*cpp, wrapped=True) == ["header-extern-c"] * len(cpp)
    assert headers("<stdio.h>", "<cmath>", "<cuComplex.h>", "<cstdint>", wrapped=True) == []


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("template <class T> __device__ T f(T a) { return a; }\n", ["template-extern-c"]),
        ("template <class T> struct P { T a; };\n", ["template-extern-c"]),
        (
            "__device__ int f(int a) { return a; }\n__device__ float f(float b) { return b; }\n",
            ["overload-extern-c"],
        ),
        (
            "__device__ float2 operator+(float2 a, float2 b) { return a; }\n"
            "__device__ float2 operator+(float2 a, float b) { return a; }\n",
            ["overload-extern-c"],
        ),
        ("struct P { int f(int a) { return a; } int f(float a) { return 1; } };\n", []),
        ("__device__ int f(int a);\n__device__ int f(int other) { return other; }\n", []),
    ],
)
def test_cpp_within_extern_c(source: str, kinds: list[str]) -> None:
    parsed = parse(source + KERNEL)
    assert [f.kind for f in refused_in_c(case_of(source, wrapped=True), parsed)] == kinds
    assert list(refused_in_c(case_of(source), parsed)) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "void wait() { __syncthreads(); }\n",
            "Line 1: host function wait calls the device function __syncthreads",
        ),
        (
            "__device__ int f() { return 1; }\nint g() { return f(); }\n",
            "Line 2: host function g calls the device function f",
        ),
        (
            "int main() { k(0, 1); return 0; }\n",
            "Line 1: main calls the kernel k without `<<<grid, block>>>`",
        ),
        ("int main() { k<<<1, 1>>>(0, 1); return 0; }\n", ""),
        ("__host__ __device__ int f() { return 1; }\nint g() { return f(); }\n", ""),
        ("int f() { return 1; }\nint g() { return f(); }\n", ""),
    ],
)
def test_host_code_that_calls_the_device(source: str, message: str) -> None:
    found = [str(f.message) for f in refused_host_code(parse(source + KERNEL))]
    assert found == ([message] if message else [])


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("", "k", "Unknown kernel k: the source has no `__global__` function"),
        (KERNEL, "K", "Unknown kernel K: the source has k"),
        (
            "__device__ void f() {}\n" + KERNEL,
            "f",
            "Not a kernel: f is a `__device__` function",
        ),
        ("void f() {}\n", "f", "Not a kernel: f is a host function without `__global__`"),
        (
            "__global__ void f(int *x);\n",
            "f",
            "Missing definition: f is declared, but has no body in this source",
        ),
        (KERNEL, "_Z1kPfi", "Unknown kernel _Z1kPfi: the source has k"),
    ],
)
def test_a_kernel_that_is_not_there(source: str, name: str, message: str) -> None:
    (found,) = refused_name(case_of(source, kernel=name), parse(source))
    assert (str(found.message), found.verdict) == (message, "launch-error")


def test_a_host_function_is_made_a_kernel() -> None:
    source = "// first\nstatic void k(int *x) {}\n"
    (found,) = refused_name(case_of(source), parse(source))
    edit = found.fixes[0].edit
    assert edit is not None
    assert parse(apply_edit(source, edit)).kernel("k") is not None


def test_a_mangled_name_is_the_kernels_where_nothing_else_is_said() -> None:
    case, parsed = case_of(KERNEL, kernel="_Z1kPfi", no_extern_c=True), parse(KERNEL)
    assert list(refused_name(case, parsed)) == []
    assert source_name(case, parsed) == "k"
    other = case_of(KERNEL, kernel="_Z1kPf", no_extern_c=True)
    assert [f.kind for f in refused_name(other, parsed)] == ["no-such-kernel"]
