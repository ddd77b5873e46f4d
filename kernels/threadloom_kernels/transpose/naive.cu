// SPDX-License-Identifier: MIT
// B is A with rows and columns exchanged: one thread per element.

typedef float real;

__global__ void transpose_naive(const real *A, real *B, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    // Neighbours read side by side, but write a whole row of B apart.
    if (row < rows && col < cols)
        B[col * rows + row] = A[row * cols + col];
}
