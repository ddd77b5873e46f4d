// SPDX-License-Identifier: MIT
// In the manner of the samples that come with CUDA: reductions, scans, sorting, options, random walks.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T> void check(T result, char const *const func, const char *const file, int const line) {
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\" \n", file, line, (unsigned int)result, func);
        exit(EXIT_FAILURE);
    }
}

// Dynamic shared memory of a template: one name, one type.
template <class T> struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *() {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(T *g_idata, T *g_odata, unsigned int n) {
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x;
    T mySum = 0;
    if (nIsPow2) {
        unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
        gridSize = gridSize << 1;
        while (i < n) {
            mySum += g_idata[i];
            if ((i + blockSize) < n) mySum += g_idata[i + blockSize];
            i += gridSize;
        }
    } else {
        unsigned int i = blockIdx.x * blockSize + threadIdx.x;
        while (i < n) {
            mySum += g_idata[i];
            i += gridSize;
        }
    }
    sdata[tid] = mySum;
    cg::sync(cta);
    if ((blockSize >= 512) && (tid < 256)) sdata[tid] = mySum = mySum + sdata[tid + 256];
    cg::sync(cta);
    if ((blockSize >= 256) && (tid < 128)) sdata[tid] = mySum = mySum + sdata[tid + 128];
    cg::sync(cta);
    if ((blockSize >= 128) && (tid < 64)) sdata[tid] = mySum = mySum + sdata[tid + 64];
    cg::sync(cta);
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64) mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2) mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}

// The whole sum in one launch: all blocks wait for each other.
__global__ void reduce_cooperative(double *data, float *in, unsigned int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    extern double __shared__ sums[];
    sums[block.thread_rank()] = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) sums[block.thread_rank()] += in[i];
    cg::sync(block);
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    double v = cg::reduce(tile, sums[block.thread_rank()], cg::plus<double>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = v;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        data[blockIdx.x] = 0;
        for (int i = 0; i < block.size() / 32; i++) data[blockIdx.x] += sums[i];
    }
    cg::sync(grid);
    if (grid.thread_rank() == 0)
        for (int b = 1; b < gridDim.x; b++) data[0] += data[b];
}

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
__global__ void prescan(int *g_odata, const int *g_idata, int n) {
    extern __shared__ int temp[];
    int thid = threadIdx.x, offset = 1, ai = thid, bi = thid + (n / 2);
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = g_idata[ai];
    temp[bi + bankOffsetB] = g_idata[bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[ai] = temp[ai + bankOffsetA];
    g_odata[bi] = temp[bi + bankOffsetB];
}

__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir) {
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}
#define SHARED_SIZE_LIMIT 256U
__global__ void bitonicSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal,
                                  uint arrayLength, uint dir) {
    __shared__ uint s_key[SHARED_SIZE_LIMIT];
    __shared__ uint s_val[SHARED_SIZE_LIMIT];
    d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    s_key[threadIdx.x + 0] = d_SrcKey[0];
    s_val[threadIdx.x + 0] = d_SrcVal[0];
    s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
    s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
    for (uint size = 2; size < arrayLength; size <<= 1) {
        uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    for (uint stride = arrayLength / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
    }
    __syncthreads();
    d_DstKey[0] = s_key[threadIdx.x + 0];
    d_DstVal[0] = s_val[threadIdx.x + 0];
    d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
    d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}

// One pass of a radix sort over four bits: a stable place for each key of a block.
__global__ void radixPass(unsigned *out, const unsigned *in, int n, int shift) {
    __shared__ int count[16][65];
    int i = threadIdx.x;
    for (int d = 0; d < 16; ++d) count[d][i] = 0;
    unsigned key = i < n ? in[i] : 0, digit = key >> shift & 15;
    if (i < n) count[digit][i] = 1;
    __syncthreads();
    if (i < 16) {
        int sum = 0;
        for (int t = 0; t < 64; ++t) {
            int c = count[i][t];
            count[i][t] = sum;
            sum += c;
        }
        count[i][64] = sum;
    }
    __syncthreads();
    int before = 0;
    for (int d = 0; d < digit; ++d) before += count[d][64];
    if (i < n) out[before + count[digit][i]] = key;
}

__device__ inline float cndGPU(float d) {
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
    const float RSQRT2PI = 0.39894228040143267793994605993438f;
    float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0) cnd = 1.0f - cnd;
    return cnd;
}
__launch_bounds__(128) __global__
    void BlackScholesGPU(float2 *__restrict d_CallResult, float2 *__restrict d_PutResult,
                         float2 *__restrict d_StockPrice, float2 *__restrict d_OptionStrike,
                         float2 *__restrict d_OptionYears, float Riskfree, float Volatility, int optN) {
    const int opt = blockDim.x * blockIdx.x + threadIdx.x;
    if (opt < (optN / 2)) {
        float call[2], put[2];
        for (int i = 0; i < 2; ++i) {
            float S = (&d_StockPrice[opt].x)[i], X = (&d_OptionStrike[opt].x)[i], T = (&d_OptionYears[opt].x)[i];
            float sqrtT = __fdividef(1.0F, rsqrtf(T));
            float d1 = __fdividef(__logf(S / X) + (Riskfree + 0.5f * Volatility * Volatility) * T, Volatility * sqrtT);
            float d2 = d1 - Volatility * sqrtT, expRT = __expf(-Riskfree * T);
            call[i] = S * cndGPU(d1) - X * expRT * cndGPU(d2);
            put[i] = X * expRT * (1.0f - cndGPU(d2)) - S * (1.0f - cndGPU(d1));
        }
        d_CallResult[opt] = make_float2(call[0], call[1]);
        d_PutResult[opt] = make_float2(put[0], put[1]);
    }
}

struct Xorshift {
    unsigned int state;
    __device__ explicit Xorshift(unsigned int seed) : state(seed * 2654435761u + 1) {}
    __device__ unsigned int next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
    __device__ float uniform() { return next() * 2.3283064365386963e-10f; }
};
__global__ void monteCarloPi(unsigned long long *hits, int perThread) {
    Xorshift rng(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned int inside = 0;
    for (int i = 0; i < perThread; ++i) {
        float x = rng.uniform(), y = rng.uniform();
        inside += (x * x + y * y <= 1.0f) ? 1u : 0u;
    }
    inside = __reduce_add_sync(0xffffffff, inside);
    if ((threadIdx.x & 31) == 0) atomicAdd(hits, (unsigned long long)inside);
}

int main(int argc, char *argv[]) {
    int threads = 256, blocks = 64, n = 1 << 16;
    float *d_idata = NULL, *d_odata = NULL;
    checkCudaErrors(cudaMalloc((void **)&d_idata, n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_odata, blocks * sizeof(float)));
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(float) : threads * sizeof(float);
    switch (threads) {
        case 256: reduce<int, 256, false><<<dimGrid, dimBlock, smemSize>>>((int *)d_idata, (int *)d_odata, n); break;
    }
    void *kernelArgs[] = {(void *)&d_odata, (void *)&d_idata, (void *)&n};
    cudaLaunchCooperativeKernel((void *)reduce_cooperative, dimGrid, dimBlock, kernelArgs, smemSize, NULL);
    printf("done\n");
    return EXIT_SUCCESS;
}
