// SPDX-License-Identifier: MIT
// C = A B through tiles in shared memory: each value that a block reads serves TILE threads.
// A is m x k, B is k x n, C is m x n. The block must have TILE x TILE threads.

#define TILE 16

typedef float real;

__global__ void mm_tiled(const real *A, const real *B, real *C, int m, int n, int k)
{
    __shared__ real As[TILE][TILE];
    __shared__ real Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    real sum = 0;
    for (int t = 0; t < k; t += TILE) {
        // Zeros past the edges add nothing to the sum.
        As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0;
        Bs[ty][tx] = t + ty < k && col < n ? B[(t + ty) * n + col] : 0;
        __syncthreads();  // the tiles are complete

        for (int i = 0; i < TILE; i++)
            sum += As[ty][i] * Bs[i][tx];
        __syncthreads();  // all have read them: they may be overwritten
    }

    // Only here: every thread had to reach the barriers.
    if (row < m && col < n)
        C[row * n + col] = sum;
}
