// SPDX-License-Identifier: MIT
// The sum of x: every thread adds its element to one place in memory.
// The total must be zero before the launch.

typedef float real;

__global__ void sum_atomic(const real *x, real *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Without the atomic, threads would overwrite each other's sums. With it, they queue up.
    if (i < n)
        atomicAdd(total, x[i]);
}
