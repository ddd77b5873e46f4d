// SPDX-License-Identifier: MIT
// Parts of a small transformer, forwards and its training step.
#include <assert.h>
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
#define WARP_SIZE 32

inline void cudaCheck(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
#define CUDA_CHECK(err) (cudaCheck(err, __FILE__, __LINE__))

struct alignas(16) Packed {
    float v[4];
    __device__ float &operator[](int i) { return v[i]; }
    __device__ const float &operator[](int i) const { return v[i]; }
};

__device__ Packed load(const float *at) { return *reinterpret_cast<const Packed *>(at); }
__device__ void store(float *at, const Packed &p) { *reinterpret_cast<Packed *>(at) = p; }

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
    for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
    return v;
}

__device__ __forceinline__ float warp_max(float v) {
    for (int mask = 16; mask; mask /= 2) v = fmaxf(v, __shfl_xor_sync(0xFFFFFFFFU, v, mask));
    return v;
}

template <float (*WarpReduce)(float)> __device__ float block_reduce(float v, float neutral) {
    __shared__ float parts[WARP_SIZE];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const int warps = blockDim.x / WARP_SIZE;
    v = WarpReduce(v);
    __syncthreads();
    if (lane == 0) parts[warp] = v;
    __syncthreads();
    v = lane < warps ? parts[lane] : neutral;
    return WarpReduce(v);
}

__global__ void encoder_forward(float *out, const int *tokens, const float *wte, const float *wpe,
                                int B, int T, int C) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < B * T * C) {
        int bt = idx / C, b = bt / T, t = bt % T, c = idx % C;
        out[idx] = wte[tokens[b * T + t] * C + c] + wpe[t * C + c];
    }
}

// One warp a row.
__global__ void layernorm_forward(float *__restrict__ out, float *__restrict__ mean,
                                  float *__restrict__ rstd, const float *__restrict__ inp,
                                  const float *__restrict__ weight, const float *__restrict__ bias,
                                  int N, int C) {
    const int warps = blockDim.x / WARP_SIZE;
    const int row = blockIdx.x * warps + threadIdx.x / WARP_SIZE, lane = threadIdx.x % WARP_SIZE;
    if (row >= N) return;
    const float *x = inp + row * C;
    float sum = 0.0f;
    for (int i = lane; i < C; i += WARP_SIZE) sum += x[i];
    const float m = warp_sum(sum) / C;
    sum = 0.0f;
    for (int i = lane; i < C; i += WARP_SIZE) {
        float diff = x[i] - m;
        sum += diff * diff;
    }
    const float s = rsqrtf(warp_sum(sum) / C + 1e-5f);
    if (lane == 0 && mean != nullptr) __stcs(mean + row, m);
    if (lane == 0 && rstd != nullptr) __stcs(rstd + row, s);
    for (int c = lane; c < C; c += WARP_SIZE)
        __stcs(out + row * C + c, s * (__ldcs(x + c) - m) * weight[c] + bias[c]);
}

#define GELU_SCALING_FACTOR sqrtf(2.0f / M_PI)
__global__ void gelu_forward(float *out, const float *inp, int N) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= N) return;
    Packed x = load(inp + i), y;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float xi = x[k], cube = 0.044715f * xi * xi * xi;
        y[k] = 0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube)));
    }
    store(out + i, y);
}

// Online: the largest value and the sum at once, then joined across the block.
struct SumMax {
    float largest, sum;
};
__device__ SumMax join(SumMax a, SumMax b) {
    bool first = a.largest > b.largest;
    SumMax more = first ? a : b, less = first ? b : a;
    more.sum += less.sum * expf(less.largest - more.largest);
    return more;
}
__global__ void softmax_forward(float *out, const float *inp, int N, int C) {
    __shared__ SumMax parts[256];
    int row = blockIdx.x, tid = threadIdx.x;
    const float *x = inp + row * C;
    SumMax mine = {-FLT_MAX, 0.0f};
    for (int i = tid; i < C; i += blockDim.x) mine = join(mine, SumMax{x[i], 1.0f});
    parts[tid] = mine;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) parts[tid] = join(parts[tid], parts[tid + stride]);
        __syncthreads();
    }
    SumMax all = parts[0];
    for (int i = tid; i < C; i += blockDim.x) out[row * C + i] = expf(x[i] - all.largest) / all.sum;
}

__global__ void crossentropy_forward(float *losses, float *dlogits, const float *logits,
                                     const int *targets, int N, int V) {
    int row = blockIdx.x;
    const float *x = logits + row * V;
    float largest = -INFINITY, sum = 0.f;
    for (int i = threadIdx.x; i < V; i += blockDim.x) largest = fmaxf(largest, x[i]);
    largest = block_reduce<warp_max>(largest, -FLT_MAX);
    for (int i = threadIdx.x; i < V; i += blockDim.x) sum += expf(x[i] - largest);
    sum = block_reduce<warp_sum>(sum, 0.f);
    for (int i = threadIdx.x; i < V; i += blockDim.x) {
        float p = expf(x[i] - largest) / sum;
        dlogits[row * V + i] = (p - (i == targets[row] ? 1.0f : 0.0f)) / N;
        if (i == targets[row]) losses[row] = -logf(p);
    }
}

__device__ inline float lerp(float start, float end, float weight) {
    return fma(weight, end, fma(-weight, start, start));
}
__global__ void adamw(float *params, const float *grads, float *m_memory, float *v_memory, long num,
                      float rate, float beta1, float beta2, float correction1, float correction2,
                      float eps, float decay) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num) return;
    float grad = grads[i];
    float m = m_memory[i] = lerp(grad, m_memory[i], beta1);
    float v = v_memory[i] = lerp(grad * grad, v_memory[i], beta2);
    m /= correction1;
    v /= correction2;
    params[i] -= rate * (m / (sqrtf(v) + eps) + decay * params[i]);
}

// softmax(Q K' / sqrt(d)) V in tiles, with the sums brought up to date from tile to tile.
template <int TILE, int D>
__global__ void flash_attention(const float *Q, const float *K, const float *V, float *O, int N) {
    __shared__ float q[TILE][D], k[TILE][D + 1], v[TILE][D];
    const int row = blockIdx.x * TILE + threadIdx.x;
    float acc[D] = {0.0f}, largest = -INFINITY, sum = 0.0f;
    for (int d = 0; d < D; ++d) q[threadIdx.x][d] = row < N ? Q[row * D + d] : 0.0f;
    for (int start = 0; start < N; start += TILE) {
        const int other = start + threadIdx.x;
        for (int d = 0; d < D; ++d) {
            k[threadIdx.x][d] = other < N ? K[other * D + d] : 0.0f;
            v[threadIdx.x][d] = other < N ? V[other * D + d] : 0.0f;
        }
        __syncthreads();
        const int count = min(TILE, N - start);
        for (int j = 0; j < count; ++j) {
            float score = 0.0f;
#pragma unroll
            for (int d = 0; d < D; ++d) score += q[threadIdx.x][d] * k[j][d];
            score *= rsqrtf((float)D);
            const float now = fmaxf(largest, score), scale = __expf(largest - now), p = __expf(score - now);
            sum = sum * scale + p;
            for (int d = 0; d < D; ++d) acc[d] = acc[d] * scale + p * v[j][d];
            largest = now;
        }
        __syncthreads();
    }
    if (row < N)
        for (int d = 0; d < D; ++d) O[row * D + d] = acc[d] / sum;
}

__global__ void rope(float *x, int T, int H, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, pairs = D / 2;
    if (i >= T * H * pairs) return;
    int pair = i % pairs, t = i / (pairs * H);
    float angle = t * powf(10000.0f, -2.0f * pair / D), s, c;
    sincosf(angle, &s, &c);
    float2 *at = reinterpret_cast<float2 *>(x) + i;
    float2 old = *at;
    *at = make_float2(old.x * c - old.y * s, old.x * s + old.y * c);
}

template <typename T> T *to_device(const std::vector<T> &host) {
    T *device = nullptr;
    CUDA_CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv) {
    const int N = 100, D = 16;
    std::vector<float> q(N * D, 1.0f);
    float *d_q = to_device(q), *d_o;
    CUDA_CHECK(cudaMalloc((void **)&d_o, N * D * sizeof(float)));
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    flash_attention<32, D><<<CEIL_DIV(N, 32), 32>>>(d_q, d_q, d_q, d_o, N);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    return 0;
}
