// SPDX-License-Identifier: MIT
// How often each byte occurs: every block counts in bins of its own, then adds them up.

#define BINS 256

__global__ void histogram(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int own[BINS];

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        own[b] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i]], 1u);
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (own[b] > 0)
            atomicAdd(&bins[b], own[b]);
}
