// SPDX-License-Identifier: MIT
// The sum of each block's part, in seven steps from the first idea to the fast one.
// Blocks have BLOCK threads. Steps 1 to 3 take BLOCK elements each, 4 to 6 twice as many.

#define BLOCK 128

// 1. Neighbours pair up; ever fewer threads of a warp are at work.
__global__ void step1(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned int s = 1; s < BLOCK; s *= 2) {
        if (t % (2 * s) == 0)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// 2. The threads at work stand side by side; their strides meet in the same banks.
__global__ void step2(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned int s = 1; s < BLOCK; s *= 2) {
        unsigned int at = 2 * s * t;
        if (at < BLOCK)
            part[at] += part[at + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// 3. The upper half is added to the lower: no strides.
__global__ void step3(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// 4. The first addition takes place while loading: no thread idles from the start.
__global__ void step4(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * (2 * BLOCK) + t;
    part[t] = (i < n ? x[i] : 0.0f) + (i + BLOCK < n ? x[i + BLOCK] : 0.0f);
    __syncthreads();
    for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// The last 64 values, by one warp without barriers of the block.
__device__ void last_warp(float *part, unsigned int t)
{
    float mine = part[t] + part[t + 32];
    __syncwarp();
    for (int s = 16; s > 0; s >>= 1) {
        part[t] = mine;
        __syncwarp();
        mine += part[(t + s) & 31];
        __syncwarp();
    }
    part[t] = mine;
}

// 5. The last warp is unrolled.
__global__ void step5(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * (2 * BLOCK) + t;
    part[t] = (i < n ? x[i] : 0.0f) + (i + BLOCK < n ? x[i + BLOCK] : 0.0f);
    __syncthreads();
    for (unsigned int s = BLOCK / 2; s > 32; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t < 32)
        last_warp(part, t);
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// 6. All steps are unrolled; the block's size is known to the compiler.
__global__ void step6(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * (2 * BLOCK) + t;
    part[t] = (i < n ? x[i] : 0.0f) + (i + BLOCK < n ? x[i + BLOCK] : 0.0f);
    __syncthreads();
#if BLOCK >= 256
    if (t < 128)
        part[t] += part[t + 128];
    __syncthreads();
#endif
#if BLOCK >= 128
    if (t < 64)
        part[t] += part[t + 64];
    __syncthreads();
#endif
    if (t < 32)
        last_warp(part, t);
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// 7. A few blocks walk over the whole vector, and shuffles take the place of shared memory.
__global__ void step7(const float *x, float *sums, int n)
{
    __shared__ float part[BLOCK / 32];
    unsigned int t = threadIdx.x;
    float mine = 0.0f;
    for (unsigned int i = blockIdx.x * BLOCK + t; i < n; i += BLOCK * gridDim.x)
        mine += x[i];
    for (int s = 16; s > 0; s >>= 1)
        mine += __shfl_down_sync(0xffffffffu, mine, s);
    if (t % 32 == 0)
        part[t / 32] = mine;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < BLOCK / 32; w++)
            mine += part[w];
        sums[blockIdx.x] = mine;
    }
}
