// SPDX-License-Identifier: MIT
// Transforms, solvers and particles.
#include <cuda_runtime.h>
#include <math_constants.h>
#include <stdio.h>
#include "device_launch_parameters.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef float2 Complex;
static __device__ __host__ inline Complex ComplexAdd(Complex a, Complex b) {
    Complex c;
    c.x = a.x + b.x;
    c.y = a.y + b.y;
    return c;
}
static __device__ __host__ inline Complex ComplexMul(Complex a, Complex b) {
    Complex c;
    c.x = a.x * b.x - a.y * b.y;
    c.y = a.x * b.y + a.y * b.x;
    return c;
}

// Radix 2, decimation in time, a transform of 2^LOG points by a block.
template <int LOG> __global__ void fft(Complex *data) {
    constexpr int N = 1 << LOG;
    __shared__ Complex s[N];
    const int t = threadIdx.x;
    Complex *mine = data + blockIdx.x * N;
    for (int i = t; i < N; i += blockDim.x) s[__brev(i) >> (32 - LOG)] = mine[i];
    __syncthreads();
    for (int half = 1; half < N; half *= 2) {
        for (int i = t; i < N / 2; i += blockDim.x) {
            int k = i & (half - 1), low = (i / half) * half * 2 + k, high = low + half;
            float c, si;
            sincospif(-(float)k / half, &si, &c);
            Complex odd = ComplexMul(s[high], make_float2(c, si)), even = s[low];
            s[low] = ComplexAdd(even, odd);
            s[high] = ComplexAdd(even, make_float2(-odd.x, -odd.y));
        }
        __syncthreads();
    }
    for (int i = t; i < N; i += blockDim.x) mine[i] = s[i];
}

#define BLOCK_SIZE 8
__device__ __constant__ float scale8[2] = {0.35355339059327373f, 0.5f};
__global__ void dct8x8(float *out, const float *in, int stride) {
    __shared__ float block[BLOCK_SIZE][BLOCK_SIZE + 1], rows[BLOCK_SIZE][BLOCK_SIZE + 1];
    const int u = threadIdx.x, v = threadIdx.y;
    const int at = (blockIdx.y * BLOCK_SIZE + v) * stride + blockIdx.x * BLOCK_SIZE + u;
    block[v][u] = in[at];
    __syncthreads();
    float sum = 0;
    for (int x = 0; x < BLOCK_SIZE; ++x) sum += block[v][x] * cospif((2 * x + 1) * u / 16.0f);
    rows[v][u] = sum * scale8[u != 0];
    __syncthreads();
    sum = 0;
    for (int y = 0; y < BLOCK_SIZE; ++y) sum += rows[y][u] * cospif((2 * y + 1) * v / 16.0f);
    out[at] = sum * scale8[v != 0];
}

__global__ void haar(float *data, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = data[t];
    for (int length = n; length > 1; length >>= 1) {
        __syncthreads();
        float a = 0, d = 0;
        bool mine = t < length / 2;
        if (mine) {
            a = (s[2 * t] + s[2 * t + 1]) * CUDART_SQRT_HALF_F;
            d = (s[2 * t] - s[2 * t + 1]) * CUDART_SQRT_HALF_F;
        }
        __syncthreads();
        if (mine) {
            s[t] = a;
            s[length / 2 + t] = d;
        }
    }
    __syncthreads();
    data[t] = s[t];
}

// Tridiagonal systems by cyclic reduction in parallel, one a block.
__global__ void pcr(const double *a, const double *b, const double *c, const double *d, double *x, int n) {
    extern __shared__ double room[];
    double *A = room, *B = A + n, *C = B + n, *D = C + n;
    const int i = threadIdx.x;
    A[i] = a[i]; B[i] = b[i]; C[i] = c[i]; D[i] = d[i];
    for (int step = 1; step < n; step *= 2) {
        __syncthreads();
        const int l = i - step, r = i + step;
        const double k1 = l >= 0 ? A[i] / B[l] : 0.0, k2 = r < n ? C[i] / B[r] : 0.0;
        const double na = l >= 0 ? -A[l] * k1 : 0.0, nc = r < n ? -C[r] * k2 : 0.0;
        const double nb = B[i] - (l >= 0 ? C[l] * k1 : 0.0) - (r < n ? A[r] * k2 : 0.0);
        const double nd = D[i] - (l >= 0 ? D[l] * k1 : 0.0) - (r < n ? D[r] * k2 : 0.0);
        __syncthreads();
        A[i] = na; B[i] = nb; C[i] = nc; D[i] = nd;
    }
    x[i] = D[i] / B[i];
}

struct Particle {
    float3 position, velocity;
    float mass;
    int alive;
};
__host__ __device__ inline float3 operator*(float3 v, float s) { return make_float3(v.x * s, v.y * s, v.z * s); }
__host__ __device__ inline float3 &operator+=(float3 &a, const float3 &b) {
    a.x += b.x, a.y += b.y, a.z += b.z;
    return a;
}
__global__ void step_particles(float *raw, int n, float gx, float gy, float gz, float dt) {
    const float3 gravity = {gx, gy, gz};
    Particle *particles = reinterpret_cast<Particle *>(raw);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle &p = particles[i];
    if (!p.alive) return;
    p.velocity += gravity * dt;
    p.position += p.velocity * dt;
    if (p.position.y < 0.f) {
        p.position.y = -p.position.y;
        p.velocity.y *= -0.5f;
    }
    p.alive = p.position.y < 100.0f;
}

// Cholesky of a small matrix, one a thread, in a matrix class of its own.
template <typename T, int R, int C = R> class Matrix {
    T items[R * C];

  public:
    __device__ T &operator()(int r, int c) { return items[r * C + c]; }
    __device__ const T &operator()(int r, int c) const { return items[r * C + c]; }
    template <typename U> __device__ static Matrix from(const U *at);
    __device__ Matrix cholesky() const;
    __host__ __device__ static constexpr int size() { return R * C; }
};
template <typename T, int R, int C>
template <typename U>
__device__ Matrix<T, R, C> Matrix<T, R, C>::from(const U *at) {
    Matrix m;
    for (int i = 0; i < R * C; ++i) m.items[i] = static_cast<T>(at[i]);
    return m;
}
template <typename T, int R, int C> __device__ Matrix<T, R, C> Matrix<T, R, C>::cholesky() const {
    Matrix l{};
    for (int i = 0; i < R; ++i)
        for (int j = 0; j <= i; ++j) {
            T sum = (*this)(i, j);
            for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
            l(i, j) = i == j ? sqrt(sum) : sum / l(j, j);
        }
    return l;
}
__global__ void cholesky4(const float *in, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    using M = Matrix<double, 4>;
    const M l = M::from(in + i * M::size()).cholesky();
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) out[i * 16 + r * 4 + c] = l(r, c);
}

int main() {
    Complex *d;
    cudaMalloc(&d, 1024 * sizeof(Complex));
    fft<8><<<4, 64>>>(d);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(d);
}
