// SPDX-License-Identifier: MIT
// How many elements of x, from 0 to 1, fall into each of equal bins: one thread per element.
// The counts must be zero before the launch.

typedef float real;

__global__ void histogram_atomic(const real *x, int *counts, int n, int bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int bin = (int)(x[i] * bins);
        // The value 1 belongs to the last bin.
        if (bin == bins)
            bin = bins - 1;
        // Threads whose elements fall into the same bin queue up.
        atomicAdd(&counts[bin], 1);
    }
}
