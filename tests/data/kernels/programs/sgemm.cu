// SPDX-License-Identifier: MIT
// A ladder of matrix products, C = alpha A B + beta C, as tutorials climb it.
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <iostream>
#include <stdexcept>
#include <string>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

__global__ void sgemm_naive(int M, int N, int K, float alpha, const float *A, const float *B,
                            float beta, float *C) {
    const uint x = blockIdx.x * blockDim.x + threadIdx.x;
    const uint y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < M && y < N) {
        float tmp = 0.0;
        for (int i = 0; i < K; ++i) tmp += A[x * K + i] * B[i * N + y];
        C[x * N + y] = alpha * tmp + beta * C[x * N + y];
    }
}

template <const uint BLOCKSIZE>
__global__ void sgemm_coalesced(int M, int N, int K, float alpha, const float *A, const float *B,
                                float beta, float *C) {
    const int row = blockIdx.x * BLOCKSIZE + (threadIdx.x / BLOCKSIZE);
    const int col = blockIdx.y * BLOCKSIZE + (threadIdx.x % BLOCKSIZE);
    if (row < M && col < N) {
        float tmp = 0.0;
        for (int i = 0; i < K; ++i) tmp += A[row * K + i] * B[i * N + col];
        C[row * N + col] = alpha * tmp + beta * C[row * N + col];
    }
}

template <const int BLOCKSIZE>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float *A, const float *B,
                             float beta, float *C) {
    const uint cRow = blockIdx.x, cCol = blockIdx.y;
    __shared__ float As[BLOCKSIZE * BLOCKSIZE];
    __shared__ float Bs[BLOCKSIZE * BLOCKSIZE];
    const uint threadCol = threadIdx.x % BLOCKSIZE, threadRow = threadIdx.x / BLOCKSIZE;
    A += cRow * BLOCKSIZE * K;
    B += cCol * BLOCKSIZE;
    C += cRow * BLOCKSIZE * N + cCol * BLOCKSIZE;
    float tmp = 0.0;
    for (int bk = 0; bk < K; bk += BLOCKSIZE) {
        As[threadRow * BLOCKSIZE + threadCol] = A[threadRow * K + threadCol];
        Bs[threadRow * BLOCKSIZE + threadCol] = B[threadRow * N + threadCol];
        __syncthreads();
        A += BLOCKSIZE;
        B += BLOCKSIZE * N;
        for (int dot = 0; dot < BLOCKSIZE; ++dot)
            tmp += As[threadRow * BLOCKSIZE + dot] * Bs[dot * BLOCKSIZE + threadCol];
        __syncthreads();
    }
    C[threadRow * N + threadCol] = alpha * tmp + beta * C[threadRow * N + threadCol];
}

template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm_tile_1d(int M, int N, int K, float alpha, const float *A, const float *B,
                              float beta, float *C) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    const int threadCol = threadIdx.x % BN, threadRow = threadIdx.x / BN;
    const int innerColA = threadIdx.x % BK, innerRowA = threadIdx.x / BK;
    const int innerColB = threadIdx.x % BN, innerRowB = threadIdx.x / BN;
    assert(BM * BK == blockDim.x);
    assert(BN * BK == blockDim.x);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float results[TM] = {0.0};
    for (uint bk = 0; bk < K; bk += BK) {
        As[innerRowA * BK + innerColA] = A[innerRowA * K + innerColA];
        Bs[innerRowB * BN + innerColB] = B[innerRowB * N + innerColB];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (uint dot = 0; dot < BK; ++dot) {
            float tmpB = Bs[dot * BN + threadCol];
            for (uint i = 0; i < TM; ++i) results[i] += As[(threadRow * TM + i) * BK + dot] * tmpB;
        }
        __syncthreads();
    }
    for (uint i = 0; i < TM; ++i)
        C[(threadRow * TM + i) * N + threadCol] =
            alpha * results[i] + beta * C[(threadRow * TM + i) * N + threadCol];
}

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm_vectorized(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const uint innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
    const uint innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4);
    float results[TM * TN] = {0.0}, regM[TM] = {0.0}, regN[TN] = {0.0};
    for (uint bk = 0; bk < K; bk += BK) {
        float4 tmp = reinterpret_cast<float4 *>(&A[innerRowA * K + innerColA * 4])[0];
        As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
        As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
        As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
        As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
        reinterpret_cast<float4 *>(&Bs[innerRowB * BN + innerColB * 4])[0] =
            reinterpret_cast<float4 *>(&B[innerRowB * N + innerColB * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (uint dot = 0; dot < BK; ++dot) {
            for (uint i = 0; i < TM; ++i) regM[i] = As[dot * BM + threadRow * TM + i];
            for (uint i = 0; i < TN; ++i) regN[i] = Bs[dot * BN + threadCol * TN + i];
            for (uint m = 0; m < TM; ++m)
                for (uint n = 0; n < TN; ++n) results[m * TN + n] += regM[m] * regN[n];
        }
        __syncthreads();
    }
    for (uint m = 0; m < TM; m += 1)
        for (uint n = 0; n < TN; n += 4) {
            float4 tmp = reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0];
            tmp.x = alpha * results[m * TN + n] + beta * tmp.x;
            tmp.y = alpha * results[m * TN + n + 1] + beta * tmp.y;
            tmp.z = alpha * results[m * TN + n + 2] + beta * tmp.z;
            tmp.w = alpha * results[m * TN + n + 3] + beta * tmp.w;
            reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0] = tmp;
        }
}

void run_tile_1d(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    const uint BM = 64;
    const uint BN = 64;
    const uint BK = 8;
    const uint TM = 8;
    dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
    dim3 blockDim((BM * BN) / TM);
    sgemm_tile_1d<BM, BN, BK, TM><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
}

void run_vectorized(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    const uint BK = 8, TM = 8, TN = 8;
    if (M >= 128 and N >= 128) {
        const uint BM = 128;
        const uint BN = 128;
        dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
        dim3 blockDim((BM * BN) / (TM * TN));
        sgemm_vectorized<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
    }
}

void run_kernel(int number, int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    switch (number) {
        case 2: sgemm_coalesced<32><<<dim3(CEIL_DIV(M, 32), CEIL_DIV(N, 32)), dim3(32 * 32)>>>(M, N, K, alpha, A, B, beta, C); break;
        case 3: sgemm_shared<32><<<dim3(CEIL_DIV(M, 32), CEIL_DIV(N, 32)), 1024>>>(M, N, K, alpha, A, B, beta, C); break;
        default: throw std::invalid_argument("Unknown kernel number");
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "Please select a kernel" << std::endl;
        exit(EXIT_FAILURE);
    }
    std::cout << "Kernel " << std::stoi(argv[1]) << "\n";
    return 0;
}
