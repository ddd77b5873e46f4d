// SPDX-License-Identifier: MIT
// All atomic functions, on global memory and on shared memory; none may lose an update.

__global__ void in_global(int *i, unsigned int *u, unsigned long long *w, float *f, double *d)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], t);
    atomicMin(&i[2], 500 - t);
    atomicMax(&i[3], t);
    atomicAnd(&i[4], ~(1 << t % 8));
    atomicOr(&i[5], 1 << t % 20);
    atomicXor(&i[6], t);
    atomicAdd(&u[0], 3u);
    atomicInc(&u[1], 99u);
    atomicDec(&u[2], 99u);
    atomicMax(&u[3], (unsigned int)t + 0x80000000u);
    atomicAdd(&w[0], (unsigned long long)t << 30);
    atomicMax(&w[1], (unsigned long long)t << 33);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    if (atomicCAS(&i[7], 0, 7) == 0)
        atomicAdd(&i[8], 1);
    if (t == 3)
        atomicExch(&i[9], 42);
    atomicExch(&f[1], 1.5f);
}

__global__ void in_shared(int *i, unsigned int *u, unsigned long long *w, float *f, double *d)
{
    __shared__ int si[8];
    __shared__ unsigned int su[4];
    __shared__ unsigned long long sw[2];
    __shared__ float sf;
    __shared__ double sd;
    int t = threadIdx.x;
    if (t < 8)
        si[t] = i[t];
    if (t < 4)
        su[t] = u[t];
    if (t < 2)
        sw[t] = w[t];
    if (t == 0) {
        sf = 0.0f;
        sd = 0.0;
    }
    __syncthreads();
    atomicAdd(&si[0], t);
    atomicSub(&si[1], t);
    atomicMin(&si[2], 500 - t);
    atomicMax(&si[3], t);
    atomicAnd(&si[4], ~(1 << t % 8));
    atomicOr(&si[5], 1 << t % 20);
    atomicXor(&si[6], t);
    atomicCAS(&si[7], 0, 7);
    atomicAdd(&su[0], 3u);
    atomicInc(&su[1], 99u);
    atomicDec(&su[2], 99u);
    atomicMax(&su[3], (unsigned int)t + 0x80000000u);
    atomicAdd(&sw[0], (unsigned long long)t << 30);
    atomicMax(&sw[1], (unsigned long long)t << 33);
    atomicAdd(&sf, 0.5f);
    atomicAdd(&sd, 0.25);
    __syncthreads();
    if (t < 8)
        i[t] = si[t];
    if (t < 4)
        u[t] = su[t];
    if (t < 2)
        w[t] = sw[t];
    if (t == 0) {
        *f = sf;
        *d = sd;
    }
}

// A largest float, by compare and swap on its bits.
__device__ void atomic_max(float *place, float value)
{
    int *bits = (int *)place, seen = *(volatile int *)bits, before;
    do {
        before = seen;
        if (__int_as_float(before) >= value)
            return;
        seen = atomicCAS(bits, before, __float_as_int(value));
    } while (seen != before);
}

__global__ void by_compare_and_swap(const float *x, float *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomic_max(most, x[i]);
}

// The block that finishes last adds up what all have left: fences order what it reads.
__device__ unsigned int finished = 0;

__global__ void last_block(const float *x, volatile float *parts, float *sum, int n)
{
    __shared__ float part[64];
    __shared__ bool last;
    int t = threadIdx.x;
    float mine = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    part[t] = mine;
    __syncthreads();
    if (t == 0) {
        float all = 0.0f;
        for (int k = 0; k < 64; k++)
            all += part[k];
        parts[blockIdx.x] = all;
        __threadfence();
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float all = 0.0f;
        for (int b = 0; b < gridDim.x; b++)
            all += parts[b];
        *sum = all;
        finished = 0;
    }
}
