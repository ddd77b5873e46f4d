// SPDX-License-Identifier: MIT
// bfloat16 and half, one by one and in pairs, as mixed-precision training uses them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef __nv_bfloat16 floatX;

// Each row: what the operations make of two numbers. Inputs and outputs are bits.
__global__ void bfloat16_table(unsigned short *out, const unsigned short *a, const unsigned short *b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const floatX x = __ushort_as_bfloat16(a[i]), y = __ushort_as_bfloat16(b[i]);
    floatX results[] = {x + y,          x - y,          x * y,         x / y,          __hfma(x, y, x),
                        __hmax(x, y),   __hmin(x, y),   -x,            __habs(x),      hsqrt(__habs(y)),
                        hfloor(x),      __hadd(x, x),   x,             hrint(y),       __float2bfloat16_rz((float)x * 1.01f)};
    results[12] += y;
    for (int k = 0; k < 15; ++k) out[i * 16 + k] = __bfloat16_as_ushort(results[k]);
    out[i * 16 + 15] = (x < y) | (x == y) << 1 | __hge(x, y) << 2 | __hisnan(x) << 3;
}

__global__ void adam_bf16(floatX *params, const floatX *grads, float *momentum, int n, float rate) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    __nv_bfloat162 p = *reinterpret_cast<__nv_bfloat162 *>(params + i);
    const float2 g = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162 *>(grads + i));
    float2 &m = reinterpret_cast<float2 *>(momentum)[i / 2];
    m.x = 0.9f * m.x + 0.1f * g.x;
    m.y = 0.9f * m.y + 0.1f * g.y;
    p = __hsub2(p, __floats2bfloat162_rn(rate * m.x, rate * m.y));
    *reinterpret_cast<__nv_bfloat162 *>(params + i) = p;
}

__global__ void dot_half2(float *out, const half2 *a, const half2 *b, int n) {
    half2 sum = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n; i += 32) sum = __hfma2(a[i], b[i], sum);
    float v = __low2float(sum) + __high2float(sum);
    for (int by = 16; by; by >>= 1) v += __shfl_down_sync(0xffffffff, v, by);
    half2 first = __shfl_sync(0xffffffff, sum, 0);
    if (threadIdx.x == 0) {
        out[0] = v;
        out[1] = __half2float(__hadd(first.x, first.y));
    }
}

__global__ void counted(floatX *sums, __half *halves, float4 *fours) {
    atomicAdd(sums + threadIdx.x % 2, __float2bfloat16(1.0f));
    atomicAdd(halves, __float2half(0.5f));
    atomicAdd(fours, make_float4(1, 2, 3, threadIdx.x));
}
