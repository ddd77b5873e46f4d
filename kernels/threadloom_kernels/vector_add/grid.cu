// SPDX-License-Identifier: MIT
// c = a + b, one element per thread, as many blocks as it takes.

typedef float real;

__global__ void vec_add(const real *a, const real *b, real *c, int n)
{
    // Blocks before this one have blockDim.x threads each.
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // The last block may reach past the end.
    if (i < n)
        c[i] = a[i] + b[i];
}
