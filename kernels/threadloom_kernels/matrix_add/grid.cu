// SPDX-License-Identifier: MIT
// C = A + B, one element per thread, many two-dimensional blocks.

typedef float real;

__global__ void mat_add(const real *A, const real *B, real *C, int rows, int cols)
{
    // x runs along a row, as the elements do in memory.
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    // Blocks at the right and lower edge may reach past it.
    if (row < rows && col < cols)
        C[row * cols + col] = A[row * cols + col] + B[row * cols + col];
}
