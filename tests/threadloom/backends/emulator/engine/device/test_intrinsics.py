# SPDX-License-Identifier: MIT
"""CUDA's intrinsics and its further functions, each against a known answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from threadloom.backends.base import LaunchError
from threadloom.model.array import Array


def told(lab: Any, dtype: type, *expressions: str) -> list[Any]:
    """What each expression gives; `t` is a variable, so that nothing is worked out beforehand."""
    lines = "".join(f"    o[{i}] = {text};\n" for i, text in enumerate(expressions))
    types: dict[object, str] = {
        np.int32: "int",
        np.uint32: "unsigned",
        np.float32: "float",
        np.float64: "double",
    }
    name = types.get(dtype, "long long")
    text = f"__global__ void k({name} *o, int t) {{\n{lines}}}"
    out: Array = np.zeros(len(expressions), dtype)
    found = lab.both(text, (1,), (1,), o=out, t=np.int32(1)).arrays["o"].tolist()
    assert isinstance(found, list)
    return found


def test_bits_and_bytes(lab: Any) -> None:
    found = {
        "__fns(0xf0u, 0, 2)": 5,
        "__fns(0xf0u, 7, -2)": 6,
        "__fns(0xf0u, 4, 0)": 4,
        "__fns(0xf0u, 0, 5)": 0xFFFFFFFF,
        "__dp2a_lo(0x00030002, 0x00000504, t)": 2 * 4 + 3 * 5 + 1,
        "__dp2a_hi(0x00030002, 0x05040000, t)": 2 * 4 + 3 * 5 + 1,
        "__dp2a_lo(-1, 0x0000ff02, t)": (-2 + 1) + 1,
        "__funnelshift_lc(1u, 2u, 40u)": 1,
        "__funnelshift_rc(1u, 2u, 40u)": 2,
        "__funnelshift_rc(1u, 2u, 1u)": 0,
        "__usad(3u, 5u, 7u)": 9,
        "__uhadd(0xffffffffu, 1u)": 0x80000000,
        "__urhadd(2u, 3u)": 3,
        "umin(3u, 5u) + umax(3u, 5u)": 8,
        "(unsigned)(labs(-3l) + llmax(2ll, 4ll))": 7,
    }
    assert told(lab, np.uint32, *found) == list(found.values())


def test_two_halves_or_four_bytes_at_a_time(lab: Any) -> None:
    found = {
        "__vadd4(0x01ff02feu, 0x01010203u)": 0x02000401,
        "__vsub2(0x00010005u, 0x00020003u)": 0xFFFF0002,
        "__vaddus4(0xff01ff01u, 0x01010101u)": 0xFF02FF02,
        "__vaddss2(0x7fff8000u, 0x0001ffffu)": 0x7FFF8000,
        "__vmaxs4(0x80017f00u, 0x00000001u)": 0x00017F01,
        "__vmaxu4(0x80017f00u, 0x00000001u)": 0x80017F01,
        "__vabsdiffu4(0x05030000u, 0x03050001u)": 0x02020001,
        "__vcmpeq4(0x01020304u, 0x01000300u)": 0xFF00FF00,
        "__vsetgtu2(0x00020001u, 0x00010001u)": 0x00010000,
        "__vneg4(0x01020304u)": 0xFFFEFDFC,
        "__vabs2(0xffff8000u)": 0x00018000,
        "__vsadu4(0x05030000u, 0x03050001u)": 5,
    }
    assert told(lab, np.uint32, *found) == list(found.values())


def test_a_float_becomes_the_whole_number_in_the_direction_asked_for(lab: Any) -> None:
    top = 2**63 - 1
    found = {
        "__float2ll_rn(2.5f * t)": 2,
        "__float2ll_ru(2.25f * t)": 3,
        "__float2int_rd(-2.25f * t)": -3,
        "__double2ll_rz(-2.75 * t)": -2,
        "__double2ll_rn(1e300 * t)": top,
        "__float2int_rz(1e20f * t)": 2**31 - 1,
        "__float2int_rz(NAN * t)": 0,
        "__float2uint_rz(-5.0f * t)": 0,
        "__double2int_rz(NAN * t)": -(2**31),
        "__double2hiint(-1.5 * t)": -0x40080000,
        "__double2loint(__hiloint2double(0x3ff80000, 7 * t))": 7,
    }
    assert told(lab, np.int64, *found) == list(found.values())


SUM = 1 + 2.0**-23


@pytest.mark.parametrize(
    ("call", "down", "up"),
    [
        ("__fadd_{}(1.0f * t, 1e-30f)", 1.0, SUM),
        ("__fadd_{}(-1.0f * t, -1e-30f)", -SUM, -1.0),
        ("__fsub_{}(1.0f * t, 1e-30f)", 1 - 2.0**-24, 1.0),
        ("__fmul_{}(1.00000011920929f * t, 1.00000011920929f)", 1 + 2.0**-22, 1 + 3 * 2.0**-23),
        ("__fdiv_{}(1.0f * t, 3.0f)", 11184810 * 2.0**-25, 11184811 * 2.0**-25),
        ("__fsqrt_{}(2.0f * t)", 11863283 * 2.0**-23, 11863284 * 2.0**-23),
        ("__fmaf_{}(1.0f * t, 1.0f, 1e-30f)", 1.0, SUM),
        ("__double2float_{}(1e300 * t)", 3.4028234663852886e38, math.inf),
        ("__int2float_{}(16777217 * t)", 16777216.0, 16777218.0),
        ("__ll2float_{}(9223372036854775807ll * t)", 2.0**63 - 2.0**39, 2.0**63),
        ("__ull2float_{}(18446744073709551615ull * t)", 2.0**64 - 2.0**40, 2.0**64),
    ],
)
def test_arithmetic_rounds_in_the_direction_asked_for(
    lab: Any, call: str, down: float, up: float
) -> None:
    towards_zero = down if up > 0 else up
    calls = [call.format(mode) for mode in ("rd", "ru", "rz")]
    assert told(lab, np.float32, *calls) == [down, up, towards_zero]


def test_further_functions(lab: Any) -> None:
    found = {
        "erfinv(0.3 * t)": 0.27246271472675435,
        "erfinv(-0.999 * t)": -2.3267537655135246,
        "erfcinv(1e-20 * t)": 6.601580622355143,
        "normcdfinv(0.975 * t)": 1.959963984540054,
        "normcdfinv(1e-5 * t)": -4.264890793922825,
        "cyl_bessel_i0(1.0 * t)": 1.2660658777520084,
        "cyl_bessel_i0(20.0 * t)": 43558282.559553534,
        "cyl_bessel_i1(-1.0 * t)": -0.5651591039924851,
        "norm4d(1.0 * t, 2, 4, 10)": 11.0,
    }
    np.testing.assert_allclose(told(lab, np.float64, *found), list(found.values()), rtol=1e-14)


def test_a_remainder_and_its_quotient(lab: Any) -> None:
    text = "__global__ void k(float *o) { int q; o[0] = remquof(5.0f, 3.0f, &q); o[1] = q; }"
    out = lab.both(text, (1,), (1,), o=np.zeros(2, np.float32)).arrays["o"]
    assert out.tolist() == [-1, 2]


def test_memory_is_copied_and_filled(lab: Any) -> None:
    text = """__global__ void k(int *o, const int *a, int n) {
    if (threadIdx.x == 0) memcpy(o, a, n * sizeof(int));
    if (threadIdx.x == 1) memset(o + n, 1, 2 * sizeof(int));
    __stwt(o + n + 2 + threadIdx.x, __ldcv(a + threadIdx.x) + __ldlu(a));
}"""
    a = np.arange(1, 9, dtype=np.int32)
    out = lab.both(text, (1,), (2,), o=np.zeros(12, np.int32), a=a, n=np.int32(8)).arrays["o"]
    assert out.tolist() == [*range(1, 9), 0x01010101, 0x01010101, 2, 3]


def test_a_copy_past_the_end_is_seen(lab: Any) -> None:
    text = "__global__ void k(int *o, const int *a, int n) { memcpy(o, a, n * sizeof(int)); }"
    a = np.arange(8, dtype=np.int32)
    trace = lab.trace(text, (1,), (1,), o=np.zeros(4, np.int32), a=a, n=np.int32(8))
    assert trace.oob_writes > 0
    with pytest.raises(LaunchError, match=r"Out-of-bounds access to a\["):
        lab.run(text, (1,), (1,), o=np.zeros(4, np.int32), a=a, n=np.int32(1 << 30))


def test_scopes_of_atomics(lab: Any) -> None:
    text = """__global__ void k(unsigned *o) {
    atomicInc_system(o, 4u);
    atomicDec_block(o + 1, 9u);
    atomicCAS_block(o + 2, 0, 5);
    atomicCAS_system((unsigned long long *)(o + 4), 0ull, 7ull);
}"""
    out = lab.both(text, (1,), (7,), o=np.zeros(6, np.uint32)).arrays["o"]
    assert out.tolist() == [2, 3, 5, 0, 7, 0]


def test_hints_to_the_compiler(lab: Any) -> None:
    text = """#define likely(x) __builtin_expect(!!(x), 1)
__global__ void k(float *o) {
    __builtin_assume(threadIdx.x > 5);
    float *p = (float *)__builtin_assume_aligned(o, 16);
    if (likely(threadIdx.x < 2)) p[threadIdx.x] = 1;
}"""
    assert lab.both(text, (1,), (4,), o=np.zeros(4, np.float32)).arrays["o"].tolist() == [
        1,
        1,
        0,
        0,
    ]


def test_names_of_the_library_of_cpp(lab: Any) -> None:
    text = """#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
template <class T> __device__ T kind(T v) {
    if constexpr (std::is_same_v<T, float> || std::is_integral<T>::value) return std::max(v, T(3));
    return v;
}
__global__ void k(double *o) {
    o[0] = std::sqrt(16.0f) + std::abs(-2) + std::fmod(5.0, 3.0) + std::pow(2.0f, 3.0f);
    std::uint8_t byte = 255;
    std::int64_t wide = byte + std::size_t(1);
    o[1] = (double)wide;
    o[2] = std::numeric_limits<int>::max() - (double)std::numeric_limits<float>::max() * 0;
    o[3] = std::numeric_limits<unsigned char>::max() + std::min(1, 2) + std::clamp(9, 0, 4);
    o[4] = kind(2) + kind(4.0f) + std::isinf(std::numeric_limits<float>::infinity());
}"""
    out = lab.both(text, (1,), (1,), o=np.zeros(5)).arrays["o"]
    assert out.tolist() == [16, 256, 2147483647, 260, 8]


def test_a_group_of_any_kind(lab: Any) -> None:
    text = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
using namespace cooperative_groups;
__device__ int told(const thread_group &g) {
    g.sync();
    return g.size() * 100 + g.thread_rank();
}
__global__ void k(int *o) {
    thread_group block = this_thread_block();
    thread_group tile = tiled_partition(block, 4);
    auto warp = tiled_partition<32>(this_thread_block());
    auto part = binary_partition(warp, threadIdx.x < 12);
    o[threadIdx.x] = told(block);
    o[64 + threadIdx.x] = told(tile);
    int all = reduce(warp, 1 << (threadIdx.x % 32), bit_or<int>());
    o[128 + threadIdx.x] = part.size() + 1000 * all;
}"""
    out = lab.both(text, (1,), (64,), o=np.zeros(192, np.int32)).arrays["o"]
    assert out[:64].tolist() == [6400 + i for i in range(64)]
    assert out[64:128].tolist() == [400 + i % 4 for i in range(64)]
    assert out[128:].tolist() == [
        -1000 + (12 if i < 12 else 20 if i < 32 else 32) for i in range(64)
    ]
