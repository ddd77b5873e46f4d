// SPDX-License-Identifier: MIT
// How many elements of x, from 0 to 1, fall into each of equal bins: every block counts in bins
// of its own, in shared memory, and adds them up last. The counts must be zero before the launch.

typedef float real;

__global__ void histogram_shared(const real *x, int *counts, int n, int bins)
{
    // One int per bin; the launch gives its size.
    extern __shared__ int own[];

    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        own[bin] = 0;
    __syncthreads();  // all are zero

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bin = (int)(x[i] * bins);
        // The value 1 belongs to the last bin.
        if (bin == bins)
            bin = bins - 1;
        // Only threads of this block queue up, and close to the processor.
        atomicAdd(&own[bin], 1);
    }
    __syncthreads();  // all have counted

    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        if (own[bin] > 0)
            atomicAdd(&counts[bin], own[bin]);
}
