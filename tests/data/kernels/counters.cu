// SPDX-License-Identifier: MIT
// One kind of access each, for counters that can be worked out by hand.

__global__ void strided(float *o, const float *a, int by, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = a[i * by + shift];
}

__global__ void strided_store(float *o, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i * by] = i;
}

__global__ void bytes(unsigned char *o, const unsigned char *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = a[i] + 1;
}

__global__ void vectors(float4 *o, const float4 *a, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = a[i * by];
}

__global__ void doubles(double *o, const double *a, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    o[i] = a[i * by];
}

__global__ void shared_words(float *o, int by)
{
    __shared__ float s[32 * 33];
    for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32 * by];
}

__global__ void shared_doubles(double *o, int by)
{
    __shared__ double s[32 * 16];
    for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32 * by];
}

__global__ void shared_vectors(float4 *o, int by)
{
    __shared__ float4 s[32 * 8];
    for (int i = threadIdx.x; i < 32 * 8; i += blockDim.x)
        s[i] = make_float4(i, 0, 0, 0);
    __syncthreads();
    o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 32 * by];
}

__global__ void add_integers(int *o, int places, int by)
{
    atomicAdd(&o[threadIdx.x % places * by], (int)threadIdx.x + 1);
}

__global__ void add_floats(float *o, int places, int by)
{
    atomicAdd(&o[threadIdx.x % places * by], 1.0f);
}

__global__ void add_in_shared(int *o, int places, int by)
{
    __shared__ int s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x % places * by], (int)threadIdx.x + 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        o[i] = s[i];
}

__global__ void exchanged(int *o, int *old, int places)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    old[i] = atomicExch(&o[i % places], i);
}
