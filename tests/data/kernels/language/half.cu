// SPDX-License-Identifier: MIT
// Half precision: one rounding for each operation, whether by operator or by function.

#include <cuda_fp16.h>

__global__ void single(const half *a, const half *b, half *o, int *flags)
{
    int i = threadIdx.x;
    half *mine = o + 12 * i;
    mine[0] = a[i] + b[i];
    mine[1] = a[i] - b[i];
    mine[2] = a[i] * b[i];
    mine[3] = a[i] / b[i];
    mine[4] = -a[i];
    mine[5] = __hadd(a[i], __habs(__hsub(a[i], b[i])));
    mine[6] = __hfma(a[i], b[i], a[i]);
    mine[7] = hsqrt(b[i]);
    mine[8] = __float2half(__half2float(a[i]) * 0.3f);
    mine[9] = __hmax(a[i], b[i]);
    half sum = a[i];
    sum += b[i];
    sum *= a[i];
    mine[10] = sum;
    mine[11] = __habs(__hneg(b[i]));
    flags[i] = (a[i] < b[i]) + 2 * (a[i] >= b[i]) + 4 * __heq(a[i], a[i]) + 8 * __hgt(a[i], b[i]);
}

__global__ void paired(const __half2 *a, const __half2 *b, __half2 *o, float *f)
{
    int i = threadIdx.x;
    __half2 *mine = o + 6 * i;
    mine[0] = a[i] + b[i];
    mine[1] = __hmul2(a[i], b[i]);
    mine[2] = __hfma2(a[i], b[i], __float2half2_rn(0.5f));
    mine[3] = __halves2half2(__high2half(a[i]), __low2half(b[i]));
    mine[4] = __hsub2(a[i], b[i]);
    mine[5] = __floats2half2_rn(1.5f, __low2float(a[i]));
    float2 both = __half22float2(a[i]);
    f[i] = both.x + both.y;
}

// Sums a row in single precision, as matrix kernels in half precision do.
__global__ void dot(const half *a, const half *b, float *o, int n)
{
    __shared__ float part[64];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += __half2float(a[i]) * __half2float(b[i]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int gap = 32; gap > 0; gap /= 2) {
        if (threadIdx.x < gap)
            part[threadIdx.x] += part[threadIdx.x + gap];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *o = part[0];
}
