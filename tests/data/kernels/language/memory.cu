// SPDX-License-Identifier: MIT
// Every kind of memory: constant, static and dynamic shared, the device's own variables, read-only
// loads; launches with one to three axes.

struct Filter {
    int radius;
    float weights[5];
};

__constant__ float scales[4] = {1.0f, 10.0f, 100.0f, 1000.0f};
__constant__ Filter filter = {2, {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f}};
__device__ int calls;
__device__ const int offsets[3] = {5, 6, 7};

__global__ void constants(const float *x, float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = -filter.radius; d <= filter.radius; d++)
        sum += filter.weights[d + filter.radius] * x[min(max(i + d, 0), n - 1)];
    o[i] = sum * scales[i % 4] + offsets[i % 3];
}

__global__ void counted(int *o)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        calls = 0;
    __syncthreads();
    if (blockIdx.x == 0)
        atomicAdd(&calls, 2);
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *o = calls;
}

__global__ void three_axes(int *o)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
    o[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}

// Two arrays of different types share the dynamic memory.
__global__ void dynamic(const float *x, float *o, int *counts)
{
    extern __shared__ float room[];
    __shared__ int fixed[4][8];
    float *values = room;
    int *numbers = (int *)&values[blockDim.x];
    int i = threadIdx.x;
    values[i] = __ldg(&x[i]);
    numbers[i] = i * i;
    fixed[i / 8][i % 8] = -i;
    __syncthreads();
    o[i] = values[blockDim.x - 1 - i] * 2.0f;
    counts[i] = numbers[(i + 1) % blockDim.x] + fixed[3 - i / 8][7 - i % 8];
}

__global__ void strided(const float *__restrict__ x, float *y, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        y[i] = __ldg(x + i) * 2.0f + 1.0f;
}
