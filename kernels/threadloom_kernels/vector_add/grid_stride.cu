// SPDX-License-Identifier: MIT
// c = a + b with a grid of any size: each thread takes every stride-th element.

typedef float real;

__global__ void vec_add(const real *a, const real *b, real *c, int n)
{
    // All threads of the grid side by side make one stride.
    unsigned int stride = gridDim.x * blockDim.x;

    // Unsigned, because the step past the end of the largest arrays does not fit an int.
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + b[i];
}
