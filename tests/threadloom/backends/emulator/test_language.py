# SPDX-License-Identifier: MIT
"""What device code may use, each against a known answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import CompileError
from threadloom.model.array import Array


def ints(count: int) -> Array:
    return np.zeros(count, np.int32)


def test_every_vector_type_has_its_size_and_alignment(lab: Any) -> None:
    text = """
    __global__ void k(int *o) {
        o[0] = sizeof(float3); o[1] = alignof(float4); o[2] = sizeof(double2); o[3] = alignof(int2);
        o[4] = sizeof(uchar4); o[5] = alignof(float3);
        int4 a = make_int4(1, 2, 3, 4); float2 f = make_float2(0.5f, 1.5f);
        o[6] = a.x + a.y + a.z + a.w; o[7] = (int)(f.x + f.y);
    }"""
    out = lab.both(text, (1,), (1,), o=ints(8)).arrays["o"]
    assert out.tolist() == [12, 16, 16, 8, 4, 4, 10, 2]


def test_a_launch_has_three_axes(lab: Any) -> None:
    text = """
    __global__ void k(int *o) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        int z = blockIdx.z * blockDim.z + threadIdx.z;
        o[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x] = x + 100 * y + 10000 * z;
    }"""
    out = lab.both(text, (2, 3, 2), (4, 2, 3), o=ints(8 * 6 * 6)).arrays["o"].reshape(6, 6, 8)
    z, y, x = np.indices(out.shape)
    np.testing.assert_array_equal(out, x + 100 * y + 10000 * z)


def test_constants_globals_structs_templates_and_recursion(lab: Any) -> None:
    text = """
    #define TWICE(v) ((v) * 2)
    __constant__ int weights[3] = {1, 10, 100};
    __device__ int total;
    struct Pair { int a, b; __device__ int sum() const { return a + b; } };
    template <typename T> __device__ T square(T v) { return v * v; }
    __device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
    __global__ void __launch_bounds__(32) k(int *__restrict__ o) {
        Pair p = {3, 4};
        int s = 0;
    #pragma unroll
        for (int i = 0; i < 3; ++i) s += weights[i];
        o[threadIdx.x] = s + p.sum() + square(3) + factorial(threadIdx.x) + TWICE(5);
        atomicAdd(&total, 1);
    }"""
    out = lab.both(text, (1,), (6,), o=ints(6)).arrays["o"]
    assert out.tolist() == [111 + 7 + 9 + f + 10 for f in (1, 1, 2, 6, 24, 120)]


@pytest.mark.parametrize("entry", ["scale", "scale<float, 3>"])
def test_a_template_kernel_runs_as_it_is_instantiated(lab: Any, entry: str) -> None:
    text = """
    template <typename T, int N> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by * N; }
    template __global__ void scale<float, 3>(float *, float);
    """
    compiled = lab.compile(text, entry)
    assert [p.type for p in compiled.signature.parameters] == ["float", "float"]
    x = np.ones(4, np.float32)
    out = lab.both(text, (1,), (4,), entry=entry, x=x, by=np.float32(2)).arrays["x"]
    assert out.tolist() == [6, 6, 6, 6]


def test_a_whole_program_opens(lab: Any) -> None:
    text = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(int *o) { o[threadIdx.x] = threadIdx.x; }
void check(cudaError_t e) { if (e) printf("no"); }
int main() {
    int *d; cudaMalloc(&d, 4);
    k<<<1, 4>>>(d);
    return 0;
}
"""
    compiled = lab.compile(text)
    assert "check, main" in str(compiled.diagnostics[0].message)
    assert lab.both(text, (1,), (4,), o=ints(4)).arrays["o"].tolist() == [0, 1, 2, 3]


def test_mathematics_of_floats_stays_in_floats(lab: Any) -> None:
    text = """
    __global__ void k(float *o, float v) {
        o[0] = exp(v); o[1] = sqrt(v); o[2] = tanh(v); o[3] = pow(v, 2.0f); o[4] = rsqrtf(v);
        o[5] = __expf(v); o[6] = fmaf(v, v, 1.0f); o[7] = __fdividef(1.0f, v);
        o[8] = fmaxf(v, 2.0f);
        o[9] = (float)sizeof(exp(v)); o[10] = max(v, 1.0f); o[11] = abs(-v); o[12] = floor(v);
    }"""
    v = np.float32(1.3)
    out = lab.both(text, (1,), (1,), o=np.zeros(13, np.float32), v=v).arrays["o"]
    wanted = [np.exp(v), np.sqrt(v), np.tanh(v), v**2, 1 / np.sqrt(v), np.exp(v), v * v + 1, 1 / v]
    np.testing.assert_allclose(out, [*wanted, 2, 4, v, v, 1], rtol=3e-7)


def test_bits(lab: Any) -> None:
    text = """
    __global__ void k(unsigned *o, unsigned v) {
        o[0] = __popc(v); o[1] = __clz(v); o[2] = __ffs(v); o[3] = __brev(v);
        o[4] = __float_as_uint(1.0f); o[5] = __umulhi(v, v); o[6] = __byte_perm(v, 0, 0x0123);
        o[7] = __popcll(0xffffffffffull); o[8] = __funnelshift_l(1u, 0x80000000u, 4);
    }"""
    v = 0x00F01234
    out = lab.both(text, (1,), (1,), o=np.zeros(9, np.uint32), v=np.uint32(v)).arrays["o"]
    assert out.tolist() == [
        v.bit_count(),
        8,
        3,
        int(f"{v:032b}"[::-1], 2),
        0x3F800000,
        v * v >> 32,
        0x3412F000,
        40,
        0,
    ]


def test_half_precision(lab: Any) -> None:
    text = """
    #include <cuda_fp16.h>
    __global__ void k(half *o, const half *a, const half *b, half2 *p) {
        int i = threadIdx.x;
        o[i] = __hfma(a[i], b[i], __float2half(0.5f)) - hsqrt(a[i]);
        p[i] = __hmul2(__halves2half2(a[i], b[i]), __float2half2_rn(2.0f));
    }"""
    a = np.linspace(0.1, 9, 32).astype(np.float16)
    b = (a * 3 + 1).astype(np.float16)
    out = lab.both(
        text, (1,), (32,), o=np.zeros(32, np.float16), a=a, b=b, p=np.zeros((32, 2), np.float16)
    ).arrays
    fused = (a.astype(np.float64) * b + 0.5).astype(np.float16)
    np.testing.assert_array_equal(out["o"], fused - np.sqrt(a))
    np.testing.assert_array_equal(out["p"], np.stack([a, b], 1) * np.float16(2))


ATOMICS = [
    ("atomicAdd(o, v)", np.int32, 0, sum(range(64))),
    ("atomicSub(o, v)", np.int32, 0, -sum(range(64))),
    ("atomicMin(o, v)", np.int32, 9, 0),
    ("atomicMax(o, v)", np.int64, 0, 63),
    ("atomicAdd(o, v)", np.float32, 0, sum(range(64))),
    ("atomicAdd(o, v)", np.float64, 0, sum(range(64))),
    ("atomicOr(o, v)", np.uint32, 0, 63),
    ("atomicAnd(o, v | 8)", np.uint32, 255, 8),
    ("atomicXor(o, v)", np.uint64, 0, 0),
    ("atomicInc(o, 9)", np.uint32, 0, 64 % 10),
    ("atomicDec(o, 9)", np.uint32, 5, 1),
    ("atomicCAS(o, 0, 7)", np.int32, 0, 7),
    ("while (atomicCAS(o, v, v + 1) != v);", np.int32, 0, 64),
]
C_NAMES = {
    "i4": "int",
    "i8": "long long",
    "u4": "unsigned",
    "u8": "unsigned long long",
    "f4": "float",
    "f8": "double",
}


@pytest.mark.parametrize(("call", "dtype", "start", "end"), ATOMICS)
def test_atomics(lab: Any, call: str, dtype: type, start: int, end: int) -> None:
    name = C_NAMES[np.dtype(dtype).str[1:]]
    index = "blockIdx.x * blockDim.x + threadIdx.x"
    text = f"__global__ void k({name} *o) {{ {name} v = {index}; {call}; }}"
    spins = "while" in call
    grid, block = ((1,), (64,)) if spins else ((4,), (16,))
    out = lab.both(text, grid, block, o=np.full(1, start, dtype)).arrays["o"]
    assert out[0] == end


def test_shuffles_and_votes(lab: Any) -> None:
    text = """
    __global__ void k(int *o) {
        int i = threadIdx.x, w = 0;
        o[i] = __shfl_sync(~0u, i, 5);
        o[64 + i] = __shfl_up_sync(~0u, i, 1);
        o[128 + i] = __shfl_down_sync(~0u, i, 2, 8);
        o[192 + i] = __shfl_xor_sync(~0u, i, 1);
        w = __ballot_sync(~0u, i % 3 == 0);
        o[256 + i] = w;
        o[320 + i] = __any_sync(~0u, i == 40) + 2 * __all_sync(~0u, i < 40);
        o[384 + i] = __reduce_add_sync(~0u, (unsigned)i);
        o[448 + i] = __match_any_sync(~0u, i % 2);
    }"""
    out = lab.both(text, (1,), (64,), o=ints(512)).arrays["o"].reshape(8, 2, 32)
    lane = np.arange(32)
    first = np.arange(64).reshape(2, 32)
    np.testing.assert_array_equal(out[0], np.repeat([[5], [37]], 32, axis=1))
    np.testing.assert_array_equal(out[1], first - (lane > 0))
    np.testing.assert_array_equal(out[2], first + 2 * (lane % 8 < 6))
    np.testing.assert_array_equal(out[3], first ^ 1)
    votes = [sum(1 << i for i in range(32) if (i + 32 * w) % 3 == 0) for w in range(2)]
    np.testing.assert_array_equal(out[4].astype(np.uint32), np.repeat(votes, 32).reshape(2, 32))
    assert out[5].tolist() == [[2] * 32, [1] * 32]
    np.testing.assert_array_equal(out[6], np.repeat(first.sum(axis=1), 32).reshape(2, 32))
    even = np.uint32(0x55555555)
    np.testing.assert_array_equal(out[7].astype(np.uint32)[0], np.where(lane % 2, even << 1, even))


def test_barriers_that_vote(lab: Any) -> None:
    text = """
    __global__ void k(int *o) {
        int i = threadIdx.x;
        int n = __syncthreads_count(i % 4 == 0), a = __syncthreads_and(i < 48);
        int b = __syncthreads_or(i == 9);
        o[i] = n + 100 * a + 1000 * b;
    }"""
    out = lab.both(text, (1,), (48,), o=ints(48)).arrays["o"]
    assert set(out.tolist()) == {12 + 100 + 1000}


def test_cooperative_groups(lab: Any) -> None:
    text = """
    #include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void k(int *o, int *sum) {
        cg::thread_block block = cg::this_thread_block();
        cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
        __shared__ int parts[8];
        int v = cg::reduce(tile, (int)block.thread_rank(), cg::plus<int>());
        if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = v;
        block.sync();
        o[block.thread_rank()] = tile.shfl(v, 0) + tile.shfl_down((int)tile.thread_rank(), 1);
        if (block.thread_rank() == 0) { int s = 0; for (int p : parts) s += p; *sum = s; }
    }"""
    out = lab.both(text, (1,), (64,), o=ints(64), sum=ints(1)).arrays
    rank = np.arange(64) % 8
    tiles = np.arange(64).reshape(8, 8).sum(axis=1).repeat(8)
    np.testing.assert_array_equal(out["o"], tiles + np.minimum(rank + 1, 7))
    assert out["sum"][0] == sum(range(64))


def test_warps_that_part_know_who_is_active(lab: Any) -> None:
    text = """
    __global__ void k(unsigned *o) {
        int i = threadIdx.x;
        if (i % 2) o[i] = __activemask(); else o[i] = __ballot_sync(0x55555555u, 1);
    }"""
    out = lab.both(text, (1,), (32,), o=np.zeros(32, np.uint32)).arrays["o"]
    assert out[::2].tolist() == [0x55555555] * 16
    assert out[1::2].tolist() == [0xAAAAAAAA] * 16


def test_prints_name_their_thread_in_order(lab: Any) -> None:
    text = """
    __global__ void k(int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i % 5 == 0) printf("%d of %d: %.1f\\n", i, n, i / 2.0f);
    }"""
    printed = lab.run(text, (2,), (4,), n=np.int32(8)).printed
    assert printed == (
        "block (0, 0, 0), thread (0, 0, 0): 0 of 8: 0.0",
        "block (1, 0, 0), thread (1, 0, 0): 5 of 8: 2.5",
    )


def test_a_print_takes_all_formats_and_tells_how_many_arguments_it_had(lab: Any) -> None:
    text = r"""__global__ void k(int *o) {
        o[0] = printf("%d|%5.2f|%-4d|%04x|%lld|%zu|%c|%%|%g|%*d|%s|%.2s\n", 1, 2.5, 3, 255, 4ll,
                      sizeof(int), 'c', 0.5, 5, 42, "hello", "abc");
        o[1] = printf("%s:%d\n", __func__, __LINE__);
        o[2] = printf("plain\n");
    }"""
    ran = lab.run(text, (1,), (1,), o=ints(3))
    assert ran.arrays["o"].tolist() == [12, 2, 0]
    assert [line.partition("): ")[2] for line in ran.printed] == [
        "1| 2.50|3   |00ff|4|4|c|%|0.5|   42|hello|ab",
        "k:4",
        "plain",
    ]


def test_dynamic_and_static_shared_memory_lie_apart(lab: Any) -> None:
    text = """
    extern __shared__ int dynamic[];
    __global__ void k(int *o) {
        __shared__ int fixed[32], other[2][16];
        int i = threadIdx.x;
        fixed[i] = i; other[i / 16][i % 16] = 100 + i; dynamic[i] = 1000 + i;
        __syncthreads();
        o[i] = fixed[31 - i] + other[i / 16][15 - i % 16] + dynamic[31 - i];
    }"""
    out = lab.both(text, (1,), (32,), shared=128, o=ints(32))
    i = np.arange(32)
    wanted = (31 - i) + (100 + i // 16 * 16 + 15 - i % 16) + (1000 + 31 - i)
    np.testing.assert_array_equal(out.arrays["o"], wanted)


REFUSED = {
    'asm("nop;");': "Inline assembly",
    "other<<<1, 1>>>(a);": "dynamic parallelism",
    "a[0] = tex1Dfetch<int>(t, 0);": "tex1Dfetch",
    "wmma::fill_fragment(f, 0);": "wmma",
    'system("ls");': "system",
    "int *p = new int[4];": "new",
    "__builtin_trap();": "__builtin_trap",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_not_emulated_is_refused_by_name_and_line(lab: Any, statement: str) -> None:
    text = (
        f"__global__ void other(int *a) {{}}\n__global__ void k(int *a) {{\n    {statement}\n}}\n"
    )
    with pytest.raises(CompileError) as caught:
        lab.compile(text)
    first = caught.value.diagnostics[0]
    assert REFUSED[statement] in str(first.message)
    assert first.line == 3


def test_a_function_of_the_system_cannot_be_smuggled_in(lab: Any) -> None:
    for prototype in (
        'extern "C" __device__ int getpid();',
        'extern "C" __device__ void *malloc();',
    ):
        call = "getpid" if "getpid" in prototype else "malloc"
        text = f"{prototype}\n__global__ void k(long *a) {{ a[0] = (long){call}(); }}\n"
        with pytest.raises(CompileError):
            lab.compile(text)


def test_a_compiler_error_has_line_column_and_cudas_words(lab: Any) -> None:
    text = "__global__ void k(int *a)\n{\n    __shared__ int s[4]; s[0] = missing;\n}\n"
    with pytest.raises(CompileError) as caught:
        lab.compile(text)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.message) == 'identifier "missing" is undefined'
    assert (diagnostic.line, diagnostic.column) == (3, 33)
    assert "missing" in diagnostic.raw


@pytest.mark.parametrize("words", ["", "alignas(16)", "__align__(16)"])
def test_a_shared_array_takes_whole_vectors(lab: Any, words: str) -> None:
    text = f"""
    __global__ void k(float *o) {{
        __shared__ char odd[3];
        {words} __shared__ float s[4];
        if (threadIdx.x < 3) odd[threadIdx.x] = 0;
        if (threadIdx.x == 0) *(float4 *)s = make_float4(1, 2, 3, 4);
        __syncthreads();
        o[threadIdx.x] = s[threadIdx.x];
    }}"""
    out = lab.both(text, (1,), (4,), o=np.zeros(4, np.float32)).arrays["o"]
    assert out.tolist() == [1, 2, 3, 4]


def test_macros_stand_for_qualifiers(lab: Any) -> None:
    text = """#ifdef __CUDACC__
#define HD __host__ INLINE
#define INLINE __device__ __forceinline__
#else
#define HD
#endif
#define KERNEL __global__ void
HD int twice(int x);
HD int next(int x) { return x + 1; }
KERNEL k(int *o) { o[threadIdx.x] = twice(next(threadIdx.x)); }
HD int twice(int x) { return 2 * x; }
int main() { k<<<1, 4>>>(nullptr); }"""
    assert lab.compile(text).program.entry == "k"
    assert lab.both(text, (1,), (4,), o=ints(4)).arrays["o"].tolist() == [2, 4, 6, 8]
