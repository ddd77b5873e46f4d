# SPDX-License-Identifier: MIT
"""Unsupported features are named with their line, for the kernel that uses them alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import NotEmulatedError

NAMED = {
    "cub::BlockReduce<int, 32> r;": "cub is not emulated (the library CUB)",
    "thrust::plus<int> p;": "thrust is not emulated",
    "curandState s;": "curandState is not emulated (the library cuRAND)",
    "cuda::pipeline<cuda::thread_scope_thread> p;": "cuda::pipeline is not emulated",
    "__shared__ cuda::barrier<cuda::thread_scope_block> b;": "cuda::barrier is not emulated",
    "auto c = cooperative_groups::this_cluster();": "this_cluster is not emulated",
    "o[0] = __isConstant(o);": "__isConstant is not emulated",
    "int *p = (int *)malloc(4);": "malloc is not emulated (device-side allocation)",
    "int *p = new int;": "new and delete",
    "__nv_fp8_e4m3 v;": "__nv_fp8_e4m3 is not emulated",
    "cudaTextureObject_t t = 0;": "cudaTextureObject_t is not emulated (textures)",
    "wmma::mma_sync(a, b, c, d);": "wmma is not emulated",
    "cudaDeviceSynchronize();": "cudaDeviceSynchronize is not emulated",
}


@pytest.mark.parametrize("statement", NAMED)
def test_by_name_and_line(lab: Any, statement: str) -> None:
    text = f"__global__ void k(int *o) {{\n    o[0] = 1;\n    {statement}\n}}\n"
    with pytest.raises(NotEmulatedError) as caught:
        lab.compile(text)
    first = caught.value.diagnostics[0]
    assert NAMED[statement] in str(first.message)
    assert first.line == 3


def test_in_a_kernels_head(lab: Any) -> None:
    with pytest.raises(NotEmulatedError, match="curandState") as caught:
        lab.compile("#include <curand_kernel.h>\n__global__ void k(curandState *s) { *s; }\n")
    assert caught.value.diagnostics[0].line == 2


def test_what_another_kernel_uses_does_not_matter(lab: Any) -> None:
    text = """#include <mma.h>
using namespace nvcuda;
typedef cub::BlockReduce<int, 32> Reduce;
#define COPY(a, b) asm volatile("cp.async.ca [%0], [%1], 4;" ::"r"(a), "l"(b))
__device__ unsigned lane() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
template <class T> __global__ void tensor(T *o) { wmma::fragment<wmma::matrix_a, 8, T> f; }
__global__ void by_lane(int *o) { o[lane()] = 1; }
__global__ void copied(int *o) { COPY(o, o); }
__global__ void reduced(int *o) { __shared__ Reduce::TempStorage t; o[0] = Reduce(t).Sum(1); }
__global__ void k(int *o) { int free = 4; float texture = 0; o[threadIdx.x] = free + texture; }
"""
    assert lab.both(text, (1,), (2,), o=np.zeros(2, np.int32)).arrays["o"].tolist() == [4, 4]
    lines = {"tensor<float>": 6, "by_lane": 5, "copied": 4}
    for entry, line in lines.items():
        with pytest.raises(NotEmulatedError) as caught:
            lab.compile(text, entry)
        assert caught.value.diagnostics[0].line == line
