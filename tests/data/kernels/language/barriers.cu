// SPDX-License-Identifier: MIT
// Barriers of the block, also those that vote, and of the warp.

__global__ void votes(const int *a, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int above = __syncthreads_count(a[i] > 50);
    int every = __syncthreads_and(a[i] < 100);
    int some = __syncthreads_or(a[i] == 77);
    o[i] = above + 1000 * (every != 0) + 10000 * (some != 0);
}

__global__ void shifted(int *a, int times)
{
    __shared__ int row[96];
    int i = threadIdx.x;
    row[i] = a[i];
    for (int t = 0; t < times; t++) {
        __syncthreads();
        int next = row[(i + 1) % blockDim.x];
        __syncthreads();
        row[i] = next + 1;
    }
    a[i] = row[i];
}

__global__ void within_warps(int *a)
{
    __shared__ volatile int row[64];
    int i = threadIdx.x, lane = i % 32, first = i - lane;
    row[i] = a[i];
    __syncwarp();
    int mirrored = row[first + 31 - lane];
    __syncwarp();
    row[i] = mirrored * 2;
    __syncwarp();
    a[i] = row[first + (lane ^ 1)];
}

// Only the first warp waits at the inner barrier, all of it.
__global__ void part_of_a_block(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        s[threadIdx.x] += s[threadIdx.x + 32];
        __syncwarp();
        int right = s[(threadIdx.x + 1) % 32];
        __syncwarp();
        s[threadIdx.x] = right;
    }
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
}
