// SPDX-License-Identifier: MIT
// C = A B with one thread per element of C.
// A is m x k, B is k x n, C is m x n; rows lie one after the other in memory.

typedef float real;

__global__ void mm_naive(const real *A, const real *B, real *C, int m, int n, int k)
{
    // Neighbours along x take neighbouring columns: their reads of B lie side by side.
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < m && col < n) {
        real sum = 0;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + col];
        C[row * n + col] = sum;
    }
}
