// SPDX-License-Identifier: MIT
// A whole program with its host part: only the kernels are of interest.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                               \
    do {                                                                                          \
        cudaError_t error = (call);                                                               \
        if (error != cudaSuccess) {                                                               \
            fprintf(stderr, "%s\n", cudaGetErrorString(error));                                   \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

const int THREADS = 128;

__device__ float weighted(float a, float b, float t) { return a + t * (b - a); }

__global__ void blend(const float *a, const float *b, float *c, float t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = weighted(a[i], b[i], t);
}

static bool close(const std::vector<float> &c)
{
    for (float value : c)
        if (std::fabs(value - 1.5f) > 1e-6f)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, n * sizeof(float)));
    CHECK(cudaMalloc(&db, n * sizeof(float)));
    CHECK(cudaMalloc(&dc, n * sizeof(float)));
    CHECK(cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    blend<<<(n + THREADS - 1) / THREADS, THREADS>>>(da, db, dc, 0.5f, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s\n", close(c) ? "right" : "wrong");
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return 0;
}
