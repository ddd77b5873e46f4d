# SPDX-License-Identifier: MIT
"""Conversions to half by the engine's function, against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

TEXT = "__global__ void k(half *o, const double *a) { o[threadIdx.x] = half(a[threadIdx.x]); }"


def test_a_double_is_rounded_once_to_the_nearest_half(lab: Any) -> None:
    rng = np.random.default_rng(3)
    edges = [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.99, 65520, -70000, 2.0**-24, 2.0**-25]
    edges += [2.0**-25 * 1.0000001, 2.0**-26, 2.0**-14, 2.0**-14 * (1 - 2.0**-12), 1 + 2.0**-11]
    edges += [1 + 3 * 2.0**-11, 1 + 2.0**-11 + 2.0**-40, 1e-300, 1e300, 5e-324]
    scattered = rng.standard_normal(480) * 2.0 ** rng.integers(-30, 20, 480)
    values = np.concatenate([edges, scattered])
    out = lab.both(TEXT, (1,), (values.size,), o=np.zeros(values.size, np.float16), a=values)
    with np.errstate(over="ignore"):
        wanted = values.astype(np.float16)
    assert out.arrays["o"].view(np.uint16).tolist() == wanted.view(np.uint16).tolist()


def test_further_functions_of_halves(lab: Any) -> None:
    text = """#include <cuda_fp16.h>
__global__ void k(float *o, float one) {
    half h = __float2half(one), inf = __short_as_half((short)0x7c00);
    half2 pair = make_half2(h, __float2half(2.0f));
    o[0] = htanh(h);
    o[1] = __hisinf(inf) * 10 + __hisinf(h) + 100 * __hisinf(-inf);
    o[2] = __half_as_short(h);
    o[3] = __hadd_rn(h, __hmul_rn(h, __float2half(3.0f)));
    o[4] = __hadd_sat(h, h);
    o[5] = __hsub_sat(h, __float2half(3.0f));
    o[6] = __hbeq2(pair, pair) + 2 * __hbeq2(pair, __half2half2(h));
    o[7] = __low2float(__heq2(pair, __half2half2(h))) + 10 * __high2float(__hgt2(pair, pair));
    o[8] = __float2half_rz(1.3f * one);
    o[9] = __float2half_ru(1.3f * one);
    o[10] = __float2half_rd(-1.3f * one);
    o[11] = __float2half_rz(1e6f * one);
    o[12] = __float2half_ru(1e-20f * one);
    o[13] = __ushort2half_rn((unsigned short)2049);
    h++;
    o[14] = h;
}"""
    o = np.zeros(15, np.float32)
    out = lab.both(text, (1,), (1,), o=o, one=np.float32(1)).arrays["o"].tolist()
    below, above = 1331 / 1024, 1332 / 1024
    assert out[0] == float(np.float16(np.tanh(np.float32(1))))
    assert out[1:8] == [-90, 0x3C00, 4, 1, 0, 1, 1]
    assert out[8:] == [below, above, -above, 65504, 2.0**-24, 2048, 2]
